package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import io.isle.core.drivers.driver.OpenedDevice;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One process of a device with several: control calls go to it as they are, and what they make is
 * entered where the device as a whole looks it up. Its data calls are the device's to make.
 */
public final class HostPort implements AccelDevice {
  private static final long PAGE = 4096;

  private final OpenedDevice opened;
  private final AccelDevice device;
  private final OwnCompletions completions;
  private final ContextRoutes routes;
  private final MemoryLedger ledger;
  private final Runnable emptied;
  private volatile boolean gone;

  /**
   * @param emptied runs when its last context has gone
   */
  HostPort(
      OpenedDevice opened,
      OwnCompletions completions,
      ContextRoutes routes,
      MemoryLedger ledger,
      Runnable emptied) {
    this.opened = opened;
    this.device = opened.device();
    this.completions = completions;
    this.routes = routes;
    this.ledger = ledger;
    this.emptied = emptied;
    completions.separate();
  }

  OpenedDevice opened() {
    return opened;
  }

  boolean isGone() {
    return gone;
  }

  /** Its contexts are taken from it, and it gets no further one. */
  void leave() {
    gone = true;
  }

  /** Data: as {@link AccelDevice#submit}. */
  int pass(long context, long tag, MemorySegment commands, long offset, int length) {
    completions.submitted(tag);
    int result = device.submit(context, tag, commands, offset, length);
    if (result != 0) {
      completions.withdrawn(tag);
    }
    return result;
  }

  /** Data: as {@link AccelDevice#poll}, of the device's own process. */
  int pollRoot(int limit) {
    return device.poll(limit);
  }

  /** Data: as {@link AccelDevice#poll}; a process that cannot be polled is given up. */
  int collect(int limit) {
    try {
      return device.poll(limit);
    } catch (RuntimeException e) {
      opened
          .process()
          .orElseThrow()
          .abandon(
              new RecoveryCause(
                  RecoveryCause.Kind.EXCEPTION,
                  "the completions of the driver process cannot be read: " + e));
      return 0;
    }
  }

  /** Data: as {@link AccelDevice#preempt}. */
  int ask(long context, int reason) {
    return device.preempt(context, reason);
  }

  @Override
  public DeviceInfo info() {
    return device.info();
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    return device.extension(type);
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    device.createContext(context, args);
    if (!routes.add(context, this)) {
      throw new DriverException(Errno.ENODEV, "the driver process of the context's group ended");
    }
  }

  @Override
  public void destroyContext(long context) {
    device.destroyContext(context);
    routes.remove(context, this);
    ledger.drop(this, context);
    if (routes.count(this) == 0) {
      emptied.run();
    }
  }

  @Override
  public void resetContext(long context) {
    device.resetContext(context);
  }

  @Override
  public void resetDevice() {
    device.resetDevice();
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    ledger.take(this, context, memory, args.size());
    boolean made = false;
    try {
      Allocation allocation = device.allocate(context, memory, args);
      ledger.settle(memory, counted(args.size(), allocation.size()));
      made = true;
      return allocation;
    } finally {
      if (!made) {
        ledger.give(memory);
      }
    }
  }

  /**
   * What counts of an allocation against the memory that all processes share: of what a process
   * says beyond what was asked for no more than fills the last page of 4 KiB, as it could else take
   * the memory of others.
   */
  private static long counted(long asked, long said) {
    return asked + Math.clamp(said - asked, 0, PAGE - 1 - (asked - 1) % PAGE);
  }

  @Override
  public void free(long memory) {
    device.free(memory);
    ledger.give(memory);
  }

  @Override
  public Utilization utilization() {
    return device.utilization();
  }

  @Override
  public PowerState power() {
    return device.power();
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    device.setPerformanceLevel(level);
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    return -Errno.ENOTSUP;
  }

  @Override
  public int poll(int limit) {
    return 0;
  }

  @Override
  public int preempt(long context, int reason) {
    return -Errno.ENOTSUP;
  }

  @Override
  public boolean alive() {
    return device.alive();
  }

  /** Its owner ends it. */
  @Override
  public void close() {
    throw new DriverException(Errno.ENOTSUP, "only the device may end a driver process of a group");
  }
}
