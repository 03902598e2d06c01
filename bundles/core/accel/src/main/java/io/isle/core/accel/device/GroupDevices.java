package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.GroupIsolation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The processes of groups on one managed device, where it has {@link GroupIsolation}: each is a
 * device of its own for control calls, with a lane of its own, so that no group waits for
 * another's. Counts the contexts of each group, also where they are all in one process.
 * Thread-safe.
 */
public final class GroupDevices {
  private static final System.Logger LOG = System.getLogger(GroupDevices.class.getName());

  private final String deviceId;
  private final Map<String, Entry> byGroup = new HashMap<>();
  private final Map<String, RecoveryCause> deferred = new HashMap<>();
  private volatile BiConsumer<String, RecoveryCause> listener = (group, cause) -> {};

  private static final class Entry {
    int contexts;

    /** How often it was taken from its contexts. */
    int turn;

    /** Null until it was opened, and while it is away. */
    OpenDevice device;

    /** Taken from its contexts, until it is published again. */
    boolean away;

    /** Its failure was told of. */
    boolean told;
  }

  public GroupDevices(String deviceId) {
    this.deviceId = deviceId;
  }

  public void listen(BiConsumer<String, RecoveryCause> next) {
    listener = next;
  }

  /** Whether contexts of this group are in a process other than the device's own. */
  public static boolean isApart(OpenDevice root, String group) {
    return root.isolation().isPresent() && !group.equals(GroupNames.DEFAULT);
  }

  /**
   * What a new context of a group is to be made on: {@code root}, or the process of the group,
   * which is started if there is none. {@link #leave} follows when the context has gone.
   *
   * @throws AccelException EINTR while it recovers, or what its start comes to; nothing follows
   */
  public OpenDevice enter(OpenDevice root, String group) {
    if (group.equals(GroupNames.DEFAULT)) {
      return root;
    }
    Entry entry;
    synchronized (this) {
      entry = byGroup.computeIfAbsent(group, name -> new Entry());
      entry.contexts++;
    }
    boolean entered = false;
    try {
      OpenDevice on = isApart(root, group) ? open(root, group, entry) : root;
      entered = true;
      return on;
    } finally {
      if (!entered) {
        leave(group);
      }
    }
  }

  private OpenDevice open(OpenDevice root, String group, Entry entry) {
    int turn;
    synchronized (this) {
      checkThere(group, entry, entry.turn);
      if (entry.device != null && entry.device.epoch() == root.epoch()) {
        return entry.device;
      }
      turn = entry.turn;
    }
    OpenDevice made = start(root, group);
    synchronized (this) {
      checkThere(group, entry, turn);
      if (entry.device == null || entry.device.epoch() != root.epoch()) {
        entry.device = made;
        entry.told = false;
      }
      return entry.device;
    }
  }

  private void checkThere(String group, Entry entry, int turn) {
    if (entry.away || entry.turn != turn) {
      throw new AccelException(
          Errno.EINTR,
          deviceId + ": the driver process of group " + group + " recovers; try again in a moment");
    }
  }

  /** The owner of drivers bounds it. */
  private static OpenDevice start(OpenDevice root, String group) {
    try {
      return OpenDevice.of(root.isolation().orElseThrow().open(group), Optional.of(group));
    } catch (DriverException e) {
      throw ControlLane.told(e);
    }
  }

  /** A context of the group has gone, after {@link #enter}. */
  public void leave(String group) {
    if (group.equals(GroupNames.DEFAULT)) {
      return;
    }
    synchronized (this) {
      Entry entry = byGroup.get(group);
      if (--entry.contexts == 0) {
        byGroup.remove(group);
        deferred.remove(group);
      }
    }
  }

  /** Whether what {@link #enter} gave can have contexts now, while {@code root} is open. */
  public synchronized boolean isCurrent(OpenDevice root, OpenDevice on, String group) {
    Entry entry = byGroup.get(group);
    return on == root || entry != null && entry.device == on && !entry.away;
  }

  /** From the agent: the process of a group can do no more. */
  public void failed(String group, RecoveryCause cause) {
    synchronized (this) {
      Entry entry = byGroup.get(group);
      if (entry == null || entry.away || entry.told) {
        return;
      }
      entry.told = true;
    }
    tell(group, cause);
  }

  /** The agent may not wait here. */
  private void tell(String group, RecoveryCause cause) {
    Telling.of(
        work -> Thread.ofVirtual().name("isle-failure-" + deviceId + "-" + group).start(work),
        () ->
            LOG.log(
                System.Logger.Level.ERROR,
                "{0}: the driver process of group {1} failed: {2}",
                deviceId,
                group,
                cause.text()),
        () -> listener.accept(group, cause));
  }

  /**
   * Takes the process of a group from its contexts: whoever opens one is told that it recovers,
   * until {@link #publish}.
   */
  public synchronized void detach(String group) {
    Entry entry = byGroup.get(group);
    if (entry != null) {
      detach(entry);
    }
  }

  private static void detach(Entry entry) {
    entry.away = true;
    entry.device = null;
    entry.turn++;
  }

  /** As {@link #detach}, of all groups. */
  public synchronized void detachAll() {
    deferred.clear();
    byGroup.values().forEach(GroupDevices::detach);
  }

  /**
   * After {@link #detach}: starts the process anew, for those alone who make its contexts again,
   * until {@link #publish}.
   *
   * @throws AccelException what the start comes to
   */
  public OpenDevice reopen(OpenDevice root, String group) {
    OpenDevice made = start(root, group);
    synchronized (this) {
      Entry entry = byGroup.computeIfAbsent(group, name -> new Entry());
      entry.away = true;
      entry.device = made;
      entry.told = false;
    }
    return made;
  }

  /** Contexts can be opened on the process of a group again, or anew. */
  public synchronized void publish(String group) {
    Entry entry = byGroup.get(group);
    if (entry != null) {
      entry.away = false;
      if (entry.contexts == 0) {
        byGroup.remove(group);
      }
    }
  }

  /** As {@link #publish}, of all but those whose failure is to be told. */
  public void publishAll() {
    List<String> groups;
    synchronized (this) {
      groups = byGroup.keySet().stream().filter(group -> !deferred.containsKey(group)).toList();
    }
    groups.forEach(this::publish);
  }

  /** The process of a group was not to be had when its device came in; told of afterwards. */
  public synchronized void defer(String group, RecoveryCause cause) {
    deferred.put(group, cause);
  }

  /** Tells of what was deferred. */
  public void tellDeferred() {
    Map<String, RecoveryCause> all;
    synchronized (this) {
      all = Map.copyOf(deferred);
      deferred.clear();
    }
    all.forEach(this::tell);
  }
}
