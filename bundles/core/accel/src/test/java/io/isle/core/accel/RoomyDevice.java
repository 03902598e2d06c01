package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo;
import io.isle.lib.ffi.MappedArena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** A device with a lot of memory, which does not count as direct; completes work at once. */
final class RoomyDevice extends FakeDevice {
  private final MappedArena arena = new MappedArena();
  private final CompletionSink sink;
  private final long bytes;
  final List<Long> freed = Collections.synchronizedList(new ArrayList<>());

  /** What the CPU sees of an allocation. */
  LongFunction<MemorySegment> cpu = arena::allocate;

  RoomyDevice(CompletionSink sink, long bytes) {
    this.sink = sink;
    this.bytes = bytes;
  }

  @Override
  public DeviceInfo info() {
    DeviceInfo known = FakeDevice.info(8);
    return new DeviceInfo(
        DeviceClass.GPU_COMPUTE,
        2,
        bytes,
        8,
        known.preemption(),
        65536,
        3,
        false,
        false,
        false,
        false);
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return new Allocation(args.size(), Optional.of(cpu.apply(args.size())));
  }

  @Override
  public void free(long memory) {
    freed.add(memory);
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    int code = sink.complete(tag, CompletionSink.SUCCESS, 0, 10, 5, 0);
    return code == 0 ? 0 : -Errno.EIO;
  }

  @Override
  public void close() {
    arena.close();
  }
}
