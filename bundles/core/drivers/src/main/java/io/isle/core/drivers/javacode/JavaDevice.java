package io.isle.core.drivers.javacode;

import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import io.isle.core.drivers.threads.BoundedCall;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A Java driver's device together with the services it was given, which end with it. What the
 * driver throws by mistake in a control call ends the device.
 */
final class JavaDevice implements AccelDevice {
  static final Duration BOUND = Duration.ofSeconds(5);

  private final AccelDevice device;
  private final DeviceInfo info;
  private final JavaServices services;
  private final Duration bound;

  /**
   * @param info what the driver said of it when it was opened: it is asked only once, as whoever
   *     reports on the device must not depend on the driver
   * @param bound how long closing may take
   */
  JavaDevice(AccelDevice device, DeviceInfo info, JavaServices services, Duration bound) {
    this.device = device;
    this.info = info;
    this.services = services;
    this.bound = bound;
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    return type == DriverLog.class
        ? Optional.of(type.cast(services.log()))
        : control(() -> device.extension(type));
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    control(() -> device.createContext(context, args));
  }

  @Override
  public void destroyContext(long context) {
    control(() -> device.destroyContext(context));
    services.freeAll(context);
  }

  @Override
  public void resetContext(long context) {
    control(() -> device.resetContext(context));
  }

  @Override
  public void resetDevice() {
    control(device::resetDevice);
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return control(() -> device.allocate(context, memory, args));
  }

  @Override
  public void free(long memory) {
    control(() -> device.free(memory));
  }

  @Override
  public Utilization utilization() {
    return control(device::utilization);
  }

  @Override
  public PowerState power() {
    return control(device::power);
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    control(() -> device.setPerformanceLevel(level));
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    return device.submit(context, tag, commands, offset, length);
  }

  @Override
  public int poll(int limit) {
    return device.poll(limit);
  }

  @Override
  public int preempt(long context, int reason) {
    return device.preempt(context, reason);
  }

  @Override
  public boolean alive() {
    try {
      return !services.isLost() && device.alive();
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      services.lost("the driver failed: " + e);
      return false;
    }
  }

  private void control(Runnable call) {
    boolean ignored =
        control(
            () -> {
              call.run();
              return true;
            });
  }

  private <T> T control(Supplier<T> call) {
    try {
      return call.get();
    } catch (DriverException refused) {
      throw refused;
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      services.lost("the driver failed: " + e);
      throw new DriverException(Errno.EIO, "the driver failed: " + e, e);
    }
  }

  @Override
  public void close() {
    try {
      boolean ignored =
          BoundedCall.call(
              "close of a Java device",
              bound,
              () -> {
                device.close();
                return true;
              });
    } finally {
      services.close();
    }
  }
}
