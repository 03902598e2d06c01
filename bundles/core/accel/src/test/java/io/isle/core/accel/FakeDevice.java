package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
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

/** A device that has room for everything and takes no work: tests say what theirs does instead. */
public abstract class FakeDevice implements AccelDevice {
  public static DeviceInfo info(int maxContexts) {
    return info(maxContexts, DeviceInfo.Preemption.INSTRUCTION);
  }

  public static DeviceInfo info(int maxContexts, DeviceInfo.Preemption granularity) {
    return new DeviceInfo(
        DeviceClass.GPU_COMPUTE,
        2,
        1 << 20,
        maxContexts,
        granularity,
        65536,
        3,
        false,
        false,
        false,
        false);
  }

  @Override
  public DeviceInfo info() {
    return info(8);
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    return Optional.empty();
  }

  @Override
  public void createContext(long context, ContextArgs args) {}

  @Override
  public void destroyContext(long context) {}

  @Override
  public void resetContext(long context) {}

  @Override
  public void resetDevice() {}

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return new Allocation(args.size(), Optional.empty());
  }

  @Override
  public void free(long memory) {}

  @Override
  public Utilization utilization() {
    return new Utilization(0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public PowerState power() {
    return new PowerState(0, PerformanceLevel.AUTO, 0, 0, 0, 0, false);
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    return -Errno.EAGAIN;
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
    return true;
  }

  @Override
  public void close() {}
}
