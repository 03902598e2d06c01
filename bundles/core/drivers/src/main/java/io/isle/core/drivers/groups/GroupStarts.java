package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.OpenedDevice;

/** Starts the processes of groups, each on its own lane. Thread-safe. */
final class GroupStarts {
  private final HostParts parts;
  private final GroupHosts hosts;
  private final MemoryLedger ledger;

  /**
   * @param hosts told which processes have come
   */
  GroupStarts(HostParts parts, GroupHosts hosts, MemoryLedger ledger) {
    this.parts = parts;
    this.hosts = hosts;
    this.ledger = ledger;
  }

  /** The name of a start, for messages. */
  static String name(String group) {
    return "start the process of group " + group;
  }

  /** It may take as long as a build; its own bounds come first. */
  DevicePort.Opening start(GroupHost host) {
    try {
      return host.lane.build(name(host.group), 1, () -> started(host));
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
    HostParts.Started made = null;
    try {
      OwnCompletions completions = parts.completions();
      made = parts.start(completions, cause -> parts.lost(host, cause));
      OpenedDevice process = made.opened();
      checkMemory(process);
      HostPort port =
          new HostPort(process, completions, hosts.routes(), ledger, () -> hosts.emptied(host));
      hosts.came(host, port, made.warm());
      parts.changed();
      return hosts.opening(host);
    } catch (RuntimeException | Error e) {
      notStarted(host, made);
      throw e;
    }
  }

  /** It counts until it has ended: the agent listens to no more than all that there may be. */
  private void notStarted(GroupHost host, HostParts.Started made) {
    try {
      if (made != null) {
        parts.end(made.opened(), false);
      }
    } finally {
      hosts.notCame(host);
      host.lane.shut();
      boolean ignored = host.over.complete(null);
    }
  }

  /** A process that says that the device has more memory than it has would get larger heaps. */
  private void checkMemory(OpenedDevice process) {
    long says = process.device().info().localMemoryBytes();
    long has = hosts.info().localMemoryBytes();
    if (says > has) {
      RecoveryCause cause =
          new RecoveryCause(
              RecoveryCause.Kind.PROTOCOL,
              "a driver process of the device reports " + says + " bytes of memory, not " + has);
      process.process().orElseThrow().abandon(cause);
      throw new DriverException(Errno.EPROTO, cause.text());
    }
  }
}
