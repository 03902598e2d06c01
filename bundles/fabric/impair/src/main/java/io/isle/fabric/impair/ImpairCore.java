package io.isle.fabric.impair;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;

/** The relays of the platform. All changes run on one thread, in their order. Thread-safe. */
final class ImpairCore implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ImpairCore.class.getName());
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(30), what -> what + ": the relays are stopped", RingException::new);

  private final ConfigFiles files;
  private final SerialExecutor executor = new SerialExecutor("isle-impair");
  private final Map<String, RelayThread> relays = new ConcurrentSkipListMap<>();

  /** Of the executor. */
  private final Map<String, String> refused = new TreeMap<>();

  ImpairCore(ConfigFiles files) {
    this.files = files;
  }

  /** The files may have changed. */
  void filesChanged() {
    boolean ignored = executor.post(this::refresh);
  }

  private <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, executor.submit(work));
  }

  private void refresh() {
    Map<String, Map<String, String>> now;
    try {
      now = files.instances(ImpairSettings.FACTORY_PID);
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the settings of impairment relays cannot be read; the last good settings stay in force",
          e);
      return;
    }
    relays.keySet().stream().filter(name -> !now.containsKey(name)).toList().forEach(this::close);
    refused.keySet().retainAll(now.keySet());
    now.forEach(this::apply);
  }

  private void close(String name) {
    RelayThread relay = relays.remove(name);
    if (relay != null) {
      relay.close();
    }
  }

  /** A bad value leaves the settings of before in force; a relay without permission ends. */
  private void apply(String name, Map<String, String> given) {
    try {
      ImpairSettings settings = checked(name, given);
      refused.remove(name);
      apply(name, settings);
    } catch (RingException e) {
      if (e.code() == Errno.EPERM) {
        close(name);
      }
      if (!e.getMessage().equals(refused.put(name, e.getMessage()))) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}-{1}.cfg: {2}; {3}",
            ImpairSettings.FACTORY_PID,
            name,
            e.getMessage(),
            relays.containsKey(name)
                ? "the last good settings stay in force"
                : "there is no relay " + name);
      }
    }
  }

  private void apply(String name, ImpairSettings settings) {
    RelayThread relay = relays.get(name);
    if (relay != null && relay.settings().equals(settings)) {
      return;
    }
    if (relay != null && relay.canChangeTo(settings)) {
      relay.change(settings);
      return;
    }
    close(name);
    relays.put(name, new RelayThread(name, settings));
  }

  private static ImpairSettings checked(String name, Map<String, String> given) {
    if (!name.matches(RingNodeInfo.NAME)) {
      throw new RingException(
          Errno.EINVAL,
          "the name of a relay has 1 to 32 letters, digits, . _ - and begins with a letter or"
              + " digit");
    }
    return ImpairSettings.of(given);
  }

  /** All relays, by name. */
  List<ImpairmentInfo> infos() {
    return relays.values().stream().map(RelayThread::info).toList();
  }

  Optional<ImpairmentInfo> find(String name) {
    return Optional.ofNullable(relays.get(name)).map(RelayThread::info);
  }

  /** Writes the settings of a new relay. */
  void create(String name, Map<String, String> given) {
    call(
        "create " + name,
        () -> {
          ImpairSettings ignored = checked(name, given);
          if (files.instances(ImpairSettings.FACTORY_PID).containsKey(name)) {
            throw new RingException(Errno.EEXIST, name + ": a relay with this name exists already");
          }
          files.set(pid(name), given);
          refresh();
          return null;
        });
  }

  /** Changes settings of a relay. */
  void set(String name, Map<String, String> changes) {
    call(
        "set " + name,
        () -> {
          Map<String, String> wanted =
              new HashMap<>(
                  Optional.ofNullable(files.instances(ImpairSettings.FACTORY_PID).get(name))
                      .orElseThrow(() -> missing(name)));
          changes.forEach(
              (key, value) -> {
                if (value == null) {
                  wanted.remove(key);
                } else {
                  wanted.put(key, value);
                }
              });
          ImpairSettings ignored = checked(name, wanted);
          files.set(pid(name), changes);
          refresh();
          return null;
        });
  }

  /** Cuts all connections of a relay. */
  void cut(String name) {
    RelayThread relay = Optional.ofNullable(relays.get(name)).orElseThrow(() -> missing(name));
    if (relay.settings().datagrams()) {
      throw new RingException(
          Errno.ENOTSUP, name + ": datagrams have no connection to cut; set black_hole");
    }
    relay.cut();
  }

  /** Whether a relay or its file is here. */
  boolean has(String name) {
    return relays.containsKey(name)
        || files.instances(ImpairSettings.FACTORY_PID).containsKey(name);
  }

  /** Removes a relay with its file. */
  boolean remove(String name) {
    return call(
        "remove " + name,
        () -> {
          boolean deleted = name.matches(RingNodeInfo.NAME) && files.delete(pid(name));
          refresh();
          return deleted;
        });
  }

  private static RingException missing(String name) {
    String shown = name.length() > 40 ? name.substring(0, 40) + "..." : name;
    return new RingException(Errno.ENOENT, "no relay '" + shown + "'; see ring:impair");
  }

  private static String pid(String name) {
    return ImpairSettings.FACTORY_PID + "-" + name;
  }

  /** Ends all relays. */
  @Override
  public void close() {
    call(
        "the end of the relays",
        () -> {
          List.copyOf(relays.keySet()).forEach(this::close);
          return null;
        });
    executor.close();
  }
}
