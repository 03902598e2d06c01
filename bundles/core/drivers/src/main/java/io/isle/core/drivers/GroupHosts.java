package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.GroupIsolation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The processes of one open device: its own, which serves the group "default", and one for each
 * other group that has contexts. A group's is started when it is first asked for and ended when its
 * last context has been gone for a moment. Thread-safe; {@link #poll} is the agent's.
 */
final class GroupHosts implements GroupIsolation {
  /** Most processes of groups, those that are being ended among them. */
  static final int MOST = 16;

  /** How long a process without contexts waits for the next. */
  static final Duration LINGER = Duration.ofSeconds(2);

  private static final long POLL_BOUND_NS = 1_000_000_000L;
  private static final VarHandle POLLS;

  static {
    try {
      POLLS = MethodHandles.lookup().findVarHandle(GroupHosts.class, "polls", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Parts parts;
  private final OpenedDevice root;
  private final HostPort rootPort;
  private final ContextRoutes routes = new ContextRoutes();
  private final MemoryLedger ledger;
  private final Map<String, GroupHost> byGroup = new LinkedHashMap<>();
  private final Set<GroupHost> leaving = new HashSet<>();
  private boolean over;

  /** All that are polled, the device's own first. */
  private volatile HostPort[] ports;

  /** Odd while the agent is in {@link #poll}. */
  @SuppressWarnings("unused")
  private volatile long polls;

  /** How a process is had, and who hears of it. */
  interface Parts {
    /**
     * Starts a process and opens the device in it.
     *
     * @param lost hears once, on any thread, when it ends by itself
     */
    Started start(OwnCompletions completions, Consumer<RecoveryCause> lost);

    /** Where its completions go. */
    OwnCompletions completions();

    /** Ends a process; returns when the driver reaches nothing any more. */
    void end(OpenedDevice process, boolean orderly);

    /**
     * @throws DriverException while the group gets no process
     */
    void admit(String group);

    /** A process ended by itself; any thread. */
    void lost(GroupHost host, RecoveryCause cause);

    /** Processes came or went; any thread. */
    void changed();

    void after(Duration delay, Runnable work);

    /** False when it was not taken. */
    boolean execute(Runnable work);
  }

  /**
   * A process that has the device open.
   *
   * @param warm it was the standby
   */
  record Started(OpenedDevice opened, boolean warm) {}

  /**
   * @param root the device's own process
   * @param completions of that process
   */
  GroupHosts(Parts parts, OpenedDevice root, OwnCompletions completions) {
    this.parts = parts;
    this.root = root;
    long bytes = root.device().info().localMemoryBytes();
    this.ledger = new MemoryLedger(bytes == 0 ? Long.MAX_VALUE : bytes);
    this.rootPort = new HostPort(root, completions, routes, ledger, () -> {});
    this.ports = new HostPort[] {rootPort};
  }

  HostPort rootPort() {
    return rootPort;
  }

  ContextRoutes routes() {
    return routes;
  }

  long memoryUsed() {
    return ledger.used();
  }

  /** Those of groups that are there. */
  List<HostPort> groupPorts() {
    HostPort[] now = ports;
    return List.of(now).subList(1, now.length);
  }

  @Override
  public AccelDevice open(String group) {
    if (group.equals(GroupNames.DEFAULT)) {
      return rootPort;
    }
    GroupHost idle;
    do {
      idle = null;
      synchronized (this) {
        Optional<AccelDevice> there = there(group);
        if (there.isPresent()) {
          return there.get();
        }
        GroupHost dead = byGroup.get(group);
        idle = dead != null ? dead : room(group);
        if (idle == null) {
          byGroup.put(group, new GroupHost(group));
        }
      }
      if (idle != null) {
        retire(idle, idle.port.alive());
      }
    } while (idle != null);
    return started(group);
  }

  /** The group's process, if it can be used; one that has just ended with contexts is awaited. */
  private Optional<AccelDevice> there(String group) {
    if (over) {
      throw new DriverException(Errno.ENODEV, "the device is being taken from its driver");
    }
    GroupHost host = byGroup.get(group);
    if (host == null) {
      parts.admit(group);
      return Optional.empty();
    }
    if (host.port == null) {
      throw new DriverException(
          Errno.EAGAIN, "the process of group " + group + " is being started");
    }
    if (host.port.alive()) {
      touch(host);
      return Optional.of(host.port);
    }
    if (routes.count(host.port) > 0) {
      throw new DriverException(
          Errno.ENODEV, "the process of group " + group + " ended; it is being replaced");
    }
    parts.admit(group);
    return Optional.empty();
  }

  /**
   * Null when there is room for one more, else one that nobody uses.
   *
   * @throws DriverException ENOSPC
   */
  private GroupHost room(String group) {
    if (byGroup.size() + leaving.size() < MOST) {
      return null;
    }
    return byGroup.values().stream()
        .filter(host -> host.port != null && host.emptied && routes.count(host.port) == 0)
        .findFirst()
        .orElseThrow(
            () ->
                new DriverException(
                    Errno.ENOSPC,
                    "group "
                        + group
                        + ": the device has "
                        + MOST
                        + " processes of groups, the most that it may have; close the contexts of"
                        + " another group first"));
  }

  private AccelDevice started(String group) {
    GroupHost host;
    synchronized (this) {
      host = byGroup.get(group);
    }
    Started made = null;
    try {
      OwnCompletions completions = parts.completions();
      made = parts.start(completions, cause -> parts.lost(host, cause));
      OpenedDevice process = made.opened();
      checkMemory(process);
      HostPort port = new HostPort(process, completions, routes, ledger, () -> emptied(host));
      synchronized (this) {
        if (over) {
          throw new DriverException(Errno.ENODEV, "the device is being taken from its driver");
        }
        host.port = port;
        host.warm = made.warm();
        HostPort[] now = Arrays.copyOf(ports, ports.length + 1);
        now[ports.length] = port;
        ports = now;
        touch(host);
      }
      parts.changed();
      return port;
    } catch (RuntimeException | Error e) {
      notStarted(host, made);
      throw e;
    }
  }

  /** It counts until it has ended: the agent listens to no more than all that there may be. */
  private void notStarted(GroupHost host, Started made) {
    try {
      if (made != null) {
        parts.end(made.opened(), false);
      }
    } finally {
      synchronized (this) {
        boolean ignored = byGroup.remove(host.group, host);
      }
      boolean ignored = host.over.complete(null);
    }
  }

  /** A process that says that the device has more memory than it has would get larger heaps. */
  private void checkMemory(OpenedDevice process) {
    long says = process.device().info().localMemoryBytes();
    long has = rootPort.info().localMemoryBytes();
    if (says > has) {
      RecoveryCause cause =
          new RecoveryCause(
              RecoveryCause.Kind.PROTOCOL,
              "a process of the device says that it has " + says + " bytes of memory, not " + has);
      process.abandon(cause);
      throw new DriverException(Errno.EPROTO, cause.text());
    }
  }

  /** It is used from now on, for a moment at least. */
  private void touch(GroupHost host) {
    host.emptied = false;
    await(host, ++host.uses);
  }

  private void emptied(GroupHost host) {
    synchronized (this) {
      host.emptied = true;
      await(host, ++host.uses);
    }
  }

  private void await(GroupHost host, int use) {
    parts.after(
        LINGER,
        () -> {
          boolean ends;
          synchronized (this) {
            ends = !over && !host.retired && host.uses == use && routes.count(host.port) == 0;
          }
          if (ends) {
            retire(host, host.port.alive());
          }
        });
  }

  /** The process of a group, if it has one that is there. */
  synchronized Optional<GroupHost> find(String group) {
    return Optional.ofNullable(byGroup.get(group)).filter(host -> host.port != null);
  }

  /** Whether it is the process of its group still. */
  synchronized boolean isCurrent(GroupHost host) {
    return host.port != null && !host.retired;
  }

  boolean isIdle(GroupHost host) {
    return routes.count(host.port) == 0;
  }

  /** Takes a process from its group and ends it; others are not touched. Bounded; once. */
  void retire(GroupHost host, boolean orderly) {
    synchronized (this) {
      if (host.retired || host.port == null) {
        return;
      }
      host.retired = true;
      boolean ignored = byGroup.remove(host.group, host);
      ignored = leaving.add(host);
      List<HostPort> others = new ArrayList<>(List.of(ports));
      ignored = others.remove(host.port);
      ports = others.toArray(HostPort[]::new);
    }
    end(host, orderly);
    parts.changed();
  }

  private void end(GroupHost host, boolean orderly) {
    try {
      routes.remove(host.port);
      ledger.drop(host.port);
      awaitPoll();
      parts.end(host.port.opened(), orderly);
    } finally {
      synchronized (this) {
        boolean ignored = leaving.remove(host);
      }
      boolean ignored = host.over.complete(null);
    }
  }

  /** The agent is not where it could use what was just taken out. */
  private void awaitPoll() {
    long seen = (long) POLLS.getVolatile(this);
    long deadline = System.nanoTime() + POLL_BOUND_NS;
    while ((seen & 1) == 1
        && (long) POLLS.getVolatile(this) == seen
        && deadline - System.nanoTime() > 0) {
      LockSupport.parkNanos(50_000);
    }
  }

  /** Data: as {@link AccelDevice#poll}, of all. */
  int poll(int limit) {
    long turn = polls;
    POLLS.setVolatile(this, turn + 1);
    try {
      HostPort[] all = ports;
      int count = rootPort.pollRoot(limit);
      for (int i = 1; i < all.length; i++) {
        count += all[i].collect(limit);
      }
      return count;
    } finally {
      POLLS.setVolatile(this, turn + 2);
    }
  }

  /** All processes, the device's own first. */
  List<DeviceHost> list() {
    List<DeviceHost> all = new ArrayList<>();
    root.hostPid().ifPresent(pid -> all.add(new DeviceHost(GroupNames.DEFAULT, pid)));
    synchronized (this) {
      for (GroupHost host : byGroup.values()) {
        if (host.port != null) {
          host.port.opened().hostPid().ifPresent(pid -> all.add(new DeviceHost(host.group, pid)));
        }
      }
    }
    return all;
  }

  /** Ends all processes of groups, side by side; none is started any more. Bounded. */
  void endAll(boolean orderly) {
    List<GroupHost> all;
    synchronized (this) {
      over = true;
      all = new ArrayList<>(byGroup.values());
      all.addAll(leaving);
    }
    for (GroupHost host : all) {
      Runnable end = () -> retire(host, orderly && host.port.alive());
      if (host.port != null && !parts.execute(end)) {
        end.run();
      }
    }
    var ignored =
        CompletableFuture.allOf(
                all.stream().map(host -> host.over).toArray(CompletableFuture<?>[]::new))
            .join();
  }
}
