package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.GroupIsolation;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.session.DeviceLane;
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
public final class GroupHosts implements GroupIsolation {
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
  private final DeviceLane rootLane;
  private final int epoch;
  private final DeviceInfo info;
  private final GroupLoans loans = new GroupLoans(this);
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
  public interface Parts {
    /**
     * Starts a process and opens the device in it.
     *
     * @param lost hears once, on any thread, when it ends by itself
     */
    Started start(OwnCompletions completions, Consumer<RecoveryCause> lost);

    /** Where its completions go. */
    OwnCompletions completions();

    /** A control lane for a process that is to be started. */
    DeviceLane lane(GroupHost host);

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
  public record Started(OpenedDevice opened, boolean warm) {}

  /**
   * The device's own process.
   *
   * @param epoch number of the device's opening
   * @param info what it says of the device
   */
  public record Own(
      OpenedDevice opened,
      OwnCompletions completions,
      DeviceLane lane,
      int epoch,
      DeviceInfo info) {}

  /**
   * @param own the device's own process
   */
  public GroupHosts(Parts parts, Own own) {
    this.parts = parts;
    this.root = own.opened;
    this.rootLane = own.lane;
    this.epoch = own.epoch;
    this.info = own.info;
    long bytes = info.localMemoryBytes();
    this.ledger = new MemoryLedger(bytes == 0 ? Long.MAX_VALUE : bytes);
    this.rootPort = new HostPort(root, own.completions, routes, ledger, () -> {});
    this.ports = new HostPort[] {rootPort};
  }

  DeviceInfo info() {
    return info;
  }

  /** The processes of groups as they are lent. */
  public GroupLoans loans() {
    return loans;
  }

  HostPort rootPort() {
    return rootPort;
  }

  ContextRoutes routes() {
    return routes;
  }

  DeviceLane rootLane() {
    return rootLane;
  }

  /**
   * The lane of the process that has a context.
   *
   * @throws DriverException EINTR while none has it
   */
  Having having(long context) {
    HostPort port = routes.of(context);
    if (port == rootPort) {
      return new Having(rootPort, rootLane);
    }
    return groupHosts().stream()
        .filter(host -> port != null && host.port == port)
        .findFirst()
        .map(host -> new Having(port, host.lane))
        .orElseThrow(
            () ->
                new DriverException(
                    Errno.EINTR, "no driver process has the context now; try again in a moment"));
  }

  /** A process with its lane. */
  record Having(HostPort port, DeviceLane lane) {}

  long memoryUsed() {
    return ledger.used();
  }

  /** Those of groups that are there. */
  public synchronized List<GroupHost> groupHosts() {
    return byGroup.values().stream().filter(host -> host.port != null).toList();
  }

  @Override
  public DevicePort.Opening open(String group) {
    if (group.equals(GroupNames.DEFAULT)) {
      return new DevicePort.Opening(rootPort, epoch, rootLane);
    }
    while (true) {
      GroupHost coming = null;
      GroupHost idle = null;
      GroupHost made = null;
      synchronized (this) {
        GroupHost there = there(group);
        if (there != null && there.port == null) {
          coming = there;
        } else if (there != null && there.port.alive()) {
          touch(there);
          return opening(there);
        } else {
          parts.admit(group);
          idle = there != null ? there : room(group);
          if (idle == null) {
            made = new GroupHost(group, parts::lane);
            byGroup.put(group, made);
          }
        }
      }
      if (made != null) {
        return start(made);
      } else if (coming != null) {
        // it has its end on the same lane, whatever that is
        coming.lane.build(starting(group), 1, () -> true);
      } else {
        retire(idle, idle.port.alive());
      }
    }
  }

  private DevicePort.Opening opening(GroupHost host) {
    return new DevicePort.Opening(host.port, epoch, host.lane);
  }

  private static String starting(String group) {
    return "start the process of group " + group;
  }

  /** The group's process, if it has one; one that has just ended with contexts is awaited. */
  private GroupHost there(String group) {
    if (over) {
      throw new DriverException(Errno.EINTR, "the device is being closed");
    }
    GroupHost host = byGroup.get(group);
    if (host != null && host.port != null && !host.port.alive() && routes.count(host.port) > 0) {
      throw new DriverException(
          Errno.EINTR, "the driver process of group " + group + " ended and is being replaced");
    }
    return host;
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
                        + " driver processes of groups, the most of one device; close the"
                        + " contexts of another group first"));
  }

  /** It may take as long as a build; its own bounds come first. */
  private DevicePort.Opening start(GroupHost host) {
    try {
      return host.lane.build(starting(host.group), 1, () -> started(host));
    } catch (RuntimeException | Error e) {
      // unless its lane has it
      if (host.begun.compareAndSet(false, true)) {
        notStarted(host, null);
      }
      throw e;
    }
  }

  /** On its lane. */
  private DevicePort.Opening started(GroupHost host) {
    if (!host.begun.compareAndSet(false, true)) {
      throw new DriverException(Errno.EINTR, "the start of the driver process was given up");
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
          throw new DriverException(Errno.EINTR, "the device is being closed");
        }
        host.port = port;
        host.warm = made.warm();
        HostPort[] now = Arrays.copyOf(ports, ports.length + 1);
        now[ports.length] = port;
        ports = now;
        touch(host);
      }
      parts.changed();
      return opening(host);
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
      host.lane.shut();
      boolean ignored = host.over.complete(null);
    }
  }

  /** A process that says that the device has more memory than it has would get larger heaps. */
  private void checkMemory(OpenedDevice process) {
    long says = process.device().info().localMemoryBytes();
    long has = info.localMemoryBytes();
    if (says > has) {
      RecoveryCause cause =
          new RecoveryCause(
              RecoveryCause.Kind.PROTOCOL,
              "a driver process of the device reports " + says + " bytes of memory, not " + has);
      process.process().orElseThrow().abandon(cause);
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
  public synchronized Optional<GroupHost> find(String group) {
    return Optional.ofNullable(byGroup.get(group)).filter(host -> host.port != null);
  }

  /** Whether it is the process of its group still. */
  public synchronized boolean isCurrent(GroupHost host) {
    return host.port != null && !host.retired;
  }

  public boolean isIdle(GroupHost host) {
    return routes.count(host.port) == 0;
  }

  /** Takes a process from its group and ends it; others are not touched. Bounded; once. */
  public void retire(GroupHost host, boolean orderly) {
    synchronized (this) {
      if (host.retired || host.port == null) {
        return;
      }
      host.retired = true;
      loans.left(host, routes.count(host.port) == 0);
      boolean ignored = byGroup.remove(host.group, host);
      ignored = leaving.add(host);
      List<HostPort> others = new ArrayList<>(List.of(ports));
      ignored = others.remove(host.port);
      ports = others.toArray(HostPort[]::new);
    }
    // who waits for a call is told at once that it recovers
    host.lane.abort();
    end(host, orderly);
    parts.changed();
  }

  /** Its process, as it is lent; null when it is not the group's any more. */
  GroupHost current(DevicePort.Opening opening, String group) {
    return find(group).filter(there -> there.lane == opening.lane()).orElse(null);
  }

  /** The contexts of a group are interrupted: whoever waits for a control call is told so. */
  public void freeze(String group) {
    find(group)
        .ifPresent(
            host -> {
              loans.interrupted(group);
              host.lane.abort();
            });
  }

  /**
   * No process is started any more, and none takes a control call.
   *
   * @param orderly calls that are being made get a moment to end
   */
  public void freeze(boolean orderly) {
    List<GroupHost> all;
    synchronized (this) {
      over = true;
      all = List.copyOf(byGroup.values());
    }
    if (orderly) {
      all.forEach(host -> host.lane.shut());
      all.forEach(host -> host.lane.close());
    } else {
      all.forEach(host -> host.lane.abort());
    }
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
  public List<DeviceHost> list() {
    List<DeviceHost> all = new ArrayList<>();
    root.process().ifPresent(it -> all.add(new DeviceHost(GroupNames.DEFAULT, it.pid())));
    synchronized (this) {
      for (GroupHost host : byGroup.values()) {
        if (host.port != null) {
          host.port
              .opened()
              .process()
              .ifPresent(it -> all.add(new DeviceHost(host.group, it.pid())));
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
