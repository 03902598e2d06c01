package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceHost;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.GroupIsolation;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.session.DeviceLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

  private final HostParts parts;
  private final OpenedDevice root;
  private final DeviceLane rootLane;
  private final int epoch;
  private final DeviceInfo info;
  private final GroupLoans loans = new GroupLoans(this);
  private final HostPort rootPort;
  private final PolledPorts ports;
  private final ContextRoutes routes = new ContextRoutes();
  private final MemoryLedger ledger;
  private final GroupTable table = new GroupTable(routes);
  private final GroupStarts starts;

  /**
   * @param own the device's own process
   */
  public GroupHosts(HostParts parts, OwnHost own) {
    this.parts = parts;
    this.root = own.opened();
    this.rootLane = own.lane();
    this.epoch = own.epoch();
    this.info = own.info();
    long bytes = info.localMemoryBytes();
    this.ledger = new MemoryLedger(bytes == 0 ? Long.MAX_VALUE : bytes);
    this.rootPort = new HostPort(root, own.completions(), routes, ledger, () -> {});
    this.ports = new PolledPorts(rootPort);
    this.starts = new GroupStarts(parts, this, ledger);
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
    return table.present();
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
        GroupHost there = table.there(group);
        if (there != null && there.port == null) {
          coming = there;
        } else if (there != null && there.port.alive()) {
          touch(there);
          return opening(there);
        } else {
          parts.admit(group);
          idle = there != null ? there : table.room(group);
          if (idle == null) {
            made = new GroupHost(group, parts::lane);
            table.add(made);
          }
        }
      }
      if (made != null) {
        return starts.start(made);
      } else if (coming != null) {
        // it has its end on the same lane, whatever that is
        coming.lane.build(GroupStarts.name(group), 1, () -> true);
      } else {
        retire(idle, idle.port.alive());
      }
    }
  }

  DevicePort.Opening opening(GroupHost host) {
    return new DevicePort.Opening(host.port, epoch, host.lane);
  }

  /**
   * A process is there.
   *
   * @throws DriverException EINTR if the device is being closed
   */
  synchronized void came(GroupHost host, HostPort port, boolean warm) {
    if (table.isClosed()) {
      throw new DriverException(Errno.EINTR, "the device is being closed");
    }
    host.port = port;
    host.warm = warm;
    ports.add(port);
    touch(host);
  }

  /** A process could not be had. */
  synchronized void notCame(GroupHost host) {
    table.remove(host);
  }

  /** It is used from now on, for a moment at least. */
  private void touch(GroupHost host) {
    host.emptied = false;
    await(host, ++host.uses);
  }

  /** The last context of a process has gone. */
  void emptied(GroupHost host) {
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
            ends =
                !table.isClosed()
                    && !host.retired
                    && host.uses == use
                    && routes.count(host.port) == 0;
          }
          if (ends) {
            retire(host, host.port.alive());
          }
        });
  }

  /** The process of a group, if it has one that is there. */
  public synchronized Optional<GroupHost> find(String group) {
    return table.find(group);
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
      table.leaves(host);
      ports.remove(host.port);
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
      table.close();
      all = table.coming();
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
      ports.awaitPoll();
      parts.end(host.port.opened(), orderly && !host.lane.hung());
    } finally {
      synchronized (this) {
        table.left(host);
      }
      boolean ignored = host.over.complete(null);
    }
  }

  /** Data: as {@link AccelDevice#poll}, of all. */
  int poll(int limit) {
    return ports.poll(limit);
  }

  /** All processes, the device's own first. */
  public List<DeviceHost> list() {
    List<DeviceHost> all = new ArrayList<>();
    root.process().ifPresent(it -> all.add(new DeviceHost(GroupNames.DEFAULT, it.pid())));
    synchronized (this) {
      for (GroupHost host : table.present()) {
        host.port.opened().process().ifPresent(it -> all.add(new DeviceHost(host.group, it.pid())));
      }
    }
    return all;
  }

  /** Ends all processes of groups, side by side; none is started any more. Bounded. */
  void endAll(boolean orderly) {
    List<GroupHost> all;
    synchronized (this) {
      table.close();
      all = table.all();
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
