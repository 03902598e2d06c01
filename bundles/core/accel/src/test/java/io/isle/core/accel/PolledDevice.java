package io.isle.core.accel;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A device that ends each submission at the next poll and allocates nothing on its data path. */
final class PolledDevice implements AccelDevice {
  private final CompletionSink sink;
  private final long[] tags = new long[1024];
  private int count;

  PolledDevice(CompletionSink sink) {
    this.sink = sink;
  }

  @Override
  public DeviceInfo info() {
    return new ScriptedDevice(sink).info();
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
    tags[count++] = tag;
    return 0;
  }

  @Override
  public int poll(int limit) {
    int done = count;
    for (int i = 0; i < done; i++) {
      int ignored = sink.complete(tags[i], CompletionSink.SUCCESS, 1, 2, 1, 0);
    }
    count = 0;
    return done;
  }

  @Override
  public int preempt(long context, int reason) {
    return 0;
  }

  @Override
  public boolean alive() {
    return true;
  }

  @Override
  public void close() {}
}
