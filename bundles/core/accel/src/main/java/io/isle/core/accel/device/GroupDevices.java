package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.GroupIsolation;
import io.isle.core.accel.settings.AccelLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The processes of groups on one place's device, where it has {@link GroupIsolation}: each is a
 * device of its own for control calls, with a lane of its own, so that no group waits for
 * another's. Counts the contexts of each group, also where they are all in one process.
 * Thread-safe.
 */
public final class GroupDevices {
  private static final System.Logger LOG = System.getLogger(GroupDevices.class.getName());

  private final String deviceId;
  private final Supplier<AccelLimits> limits;
  private final Map<String, Entry> byGroup = new HashMap<>();
  private final Map<String, RecoveryCause> deferred = new HashMap<>();
  private volatile BiConsumer<String, RecoveryCause> listener = (group, cause) -> {};

  private static final class Entry {
    int contexts;
    ControlLane lane;

    /** Null until it was opened, and while it is away. */
    OpenDevice device;

    /** Taken from its contexts, until it is published again. */
    boolean away;

    /** Its failure was told of. */
    boolean told;
  }

  public GroupDevices(String deviceId, Supplier<AccelLimits> limits) {
    this.deviceId = deviceId;
    this.limits = limits;
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
    ControlLane lane;
    synchronized (this) {
      checkThere(group, entry);
      if (entry.device != null && entry.device.epoch() == root.epoch()) {
        return entry.device;
      }
      if (entry.lane == null) {
        entry.lane = lane(group);
      }
      lane = entry.lane;
    }
    OpenDevice made = start(root, group, lane);
    synchronized (this) {
      checkThere(group, entry);
      if (entry.lane != lane) {
        throw recovering(group);
      }
      if (entry.device == null || entry.device.epoch() != root.epoch()) {
        entry.device = made;
        entry.told = false;
      }
      return entry.device;
    }
  }

  private void checkThere(String group, Entry entry) {
    if (entry.away) {
      throw recovering(group);
    }
  }

  private AccelException recovering(String group) {
    return new AccelException(
        Errno.EINTR, deviceId + ": the process of group " + group + " recovers; try again");
  }

  private ControlLane lane(String group) {
    ControlLane[] made = new ControlLane[1];
    made[0] =
        new ControlLane(
            deviceId + "-" + group,
            () -> isAlive(group, made[0]),
            limits.get().controlTimeoutMs(),
            cause -> failed(group, made[0], cause));
    return made[0];
  }

  /** Whether it is the lane of a process that is there and works, as far as is known. */
  private synchronized boolean isAlive(String group, ControlLane lane) {
    Entry entry = byGroup.get(group);
    return entry != null
        && entry.lane == lane
        && entry.device != null
        && entry.device.device().alive();
  }

  /** The start is bounded by the owner of drivers; it may take as long as a build. */
  private static OpenDevice start(OpenDevice root, String group, ControlLane lane) {
    GroupIsolation isolation = root.isolation().orElseThrow();
    return lane.build(
        "start the process of group " + group,
        1,
        () -> OpenDevice.asked(isolation.open(group), root.epoch(), lane));
  }

  /** A context of the group has gone, after {@link #enter}. */
  public void leave(String group) {
    if (group.equals(GroupNames.DEFAULT)) {
      return;
    }
    ControlLane idle = null;
    synchronized (this) {
      Entry entry = byGroup.get(group);
      if (--entry.contexts == 0) {
        byGroup.remove(group);
        deferred.remove(group);
        idle = entry.lane;
      }
    }
    if (idle != null) {
      idle.abort();
    }
  }

  /** Whether what {@link #enter} gave can have contexts now, while {@code root} is open. */
  public synchronized boolean isCurrent(OpenDevice root, OpenDevice on, String group) {
    Entry entry = byGroup.get(group);
    return on == root || entry != null && entry.device == on && !entry.away;
  }

  /** From the agent or a caller of a lane: the process of a group can do no more. */
  public void failed(String group, RecoveryCause cause) {
    failed(group, null, cause);
  }

  private void failed(String group, ControlLane from, RecoveryCause cause) {
    synchronized (this) {
      Entry entry = byGroup.get(group);
      if (entry == null || entry.away || entry.told || from != null && from != entry.lane) {
        return;
      }
      entry.told = true;
    }
    tell(group, cause);
  }

  /** Neither the agent nor a caller of a lane may wait here. */
  private void tell(String group, RecoveryCause cause) {
    Telling.of(
        work -> Thread.ofVirtual().name("isle-failure-" + deviceId + "-" + group).start(work),
        () ->
            LOG.log(
                System.Logger.Level.ERROR,
                "{0}: the process of group {1} failed: {2}",
                deviceId,
                group,
                cause.text()),
        () -> listener.accept(group, cause));
  }

  /**
   * Takes the process of a group from its contexts: whoever makes a control call is told that it
   * recovers, as is who opens a context, until {@link #publish}.
   */
  public void detach(String group) {
    ControlLane gone = null;
    synchronized (this) {
      Entry entry = byGroup.get(group);
      if (entry != null) {
        gone = detach(entry);
      }
    }
    if (gone != null) {
      gone.abort();
    }
  }

  private static ControlLane detach(Entry entry) {
    ControlLane lane = entry.lane;
    entry.away = true;
    entry.device = null;
    entry.lane = null;
    return lane;
  }

  /**
   * As {@link #detach}, of all groups.
   *
   * @param orderly calls that are being made get a moment to end
   */
  public void detachAll(boolean orderly) {
    List<ControlLane> gone = new ArrayList<>();
    synchronized (this) {
      deferred.clear();
      for (Entry entry : byGroup.values()) {
        ControlLane lane = detach(entry);
        if (lane != null) {
          gone.add(lane);
        }
      }
    }
    for (ControlLane lane : gone) {
      if (orderly) {
        lane.close();
      } else {
        lane.abort();
      }
    }
  }

  /**
   * After {@link #detach}: starts the process anew, for those alone who make its contexts again,
   * until {@link #publish}.
   *
   * @throws AccelException what the start comes to
   */
  public OpenDevice reopen(OpenDevice root, String group) {
    ControlLane lane = lane(group);
    boolean opened = false;
    try {
      OpenDevice made = start(root, group, lane);
      synchronized (this) {
        Entry entry = byGroup.computeIfAbsent(group, name -> new Entry());
        entry.away = true;
        entry.lane = lane;
        entry.device = made;
        entry.told = false;
      }
      opened = true;
      return made;
    } finally {
      if (!opened) {
        lane.abort();
      }
    }
  }

  /** Contexts can be opened on the process of a group again, or anew. */
  public void publish(String group) {
    ControlLane idle = null;
    synchronized (this) {
      Entry entry = byGroup.get(group);
      if (entry != null) {
        entry.away = false;
        if (entry.contexts == 0) {
          byGroup.remove(group);
          idle = entry.lane;
        }
      }
    }
    if (idle != null) {
      idle.abort();
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
