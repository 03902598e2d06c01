package io.isle.core.drivers;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A Java driver's device together with the services it was given, which end with it. */
final class JavaDevice implements AccelDevice {
  private final AccelDevice device;
  private final JavaServices services;

  JavaDevice(AccelDevice device, JavaServices services) {
    this.device = device;
    this.services = services;
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
  }

  @Override
  public void destroyContext(long context) {
    device.destroyContext(context);
    services.freeAll(context);
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
    return device.allocate(context, memory, args);
  }

  @Override
  public void free(long memory) {
    device.free(memory);
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
    return device.alive() && !services.isLost();
  }

  @Override
  public void close() {
    try {
      device.close();
    } finally {
      services.close();
    }
  }
}
