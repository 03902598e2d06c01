package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A device of which only submissions matter. */
final class TakingDevice implements AccelDevice {
  /** Takes a submission. */
  interface Taker {
    int take(long context, long tag, long offset);
  }

  private final Taker taker;

  TakingDevice(Taker taker) {
    this.taker = taker;
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    return taker.take(context, tag, offset);
  }

  @Override
  public DeviceInfo info() {
    throw new UnsupportedOperationException();
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
    throw new UnsupportedOperationException();
  }

  @Override
  public void free(long memory) {}

  @Override
  public Utilization utilization() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PowerState power() {
    throw new UnsupportedOperationException();
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
