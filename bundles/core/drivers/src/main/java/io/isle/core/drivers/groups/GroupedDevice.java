package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.GroupIsolation;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.Health;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A device in several processes: data calls go to the one that has the context, control calls to
 * the device's own. What the others say of load and errors is asked for in the background and added
 * as it was heard last, so that none of them holds the device up.
 */
public final class GroupedDevice implements AccelDevice {
  private final GroupHosts hosts;
  private final HostPort root;
  private final GroupSums sums;

  public GroupedDevice(GroupHosts hosts, GroupSums sums) {
    this.hosts = hosts;
    this.root = hosts.rootPort();
    this.sums = sums;
  }

  @Override
  public DeviceInfo info() {
    return hosts.info();
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    if (type == GroupIsolation.class) {
      return Optional.of(type.cast(hosts));
    }
    if (type == Health.class) {
      return root.extension(Health.class)
          .map(own -> type.cast((Health) () -> sums.health(own.read())));
    }
    if (type == HandlerUnits.class) {
      return root.extension(HandlerUnits.class)
          .map(units -> type.cast(new GroupedHandlers(hosts, units)));
    }
    return root.extension(type);
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    root.createContext(context, args);
  }

  @Override
  public void destroyContext(long context) {
    root.destroyContext(context);
  }

  @Override
  public void resetContext(long context) {
    root.resetContext(context);
  }

  /** Of the device's own process alone; groups' are replaced instead. */
  @Override
  public void resetDevice() {
    root.resetDevice();
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return root.allocate(context, memory, args);
  }

  @Override
  public void free(long memory) {
    root.free(memory);
  }

  @Override
  public Utilization utilization() {
    return sums.utilization(root.utilization(), hosts.memoryUsed(), hosts.routes().count());
  }

  @Override
  public PowerState power() {
    return root.power();
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    root.setPerformanceLevel(level);
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    HostPort process = hosts.routes().of(context);
    if (process == null) {
      // its process has just been taken out
      return -Errno.EINTR;
    }
    int result = process.pass(context, tag, commands, offset, length);
    return result == -Errno.ENODEV && process != root ? -Errno.EINTR : result;
  }

  @Override
  public int poll(int limit) {
    return hosts.poll(limit);
  }

  @Override
  public int preempt(long context, int reason) {
    HostPort process = hosts.routes().of(context);
    return process == null ? 0 : process.ask(context, reason);
  }

  @Override
  public boolean alive() {
    return root.alive();
  }

  @Override
  public void close() {
    hosts.endAll(true);
    root.opened().end(true);
  }
}
