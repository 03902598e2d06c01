package io.isle.core.accel;

import io.isle.api.accel.MemoryObject;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Device memory of one context; freed when its last buffer is closed. Thread-safe. */
final class DeviceMemory implements MemoryObject {
  final long id;
  final ExecutionContext context;
  private final long size;
  private final Optional<MemorySegment> cpu;
  private final AtomicInteger references = new AtomicInteger();
  private volatile boolean lost;

  DeviceMemory(long id, ExecutionContext context, long size, Optional<MemorySegment> cpu) {
    this.id = id;
    this.context = context;
    this.size = size;
    this.cpu = cpu.map(whole -> whole.asSlice(0, size));
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Contents contents() {
    return lost ? Contents.LOST : Contents.VALID;
  }

  @Override
  public int references() {
    return Math.max(0, references.get());
  }

  Optional<MemorySegment> cpu() {
    return cpu;
  }

  void lose() {
    lost = true;
  }

  /** False when its last buffer was closed meanwhile. */
  boolean retain() {
    return references.getAndUpdate(n -> n < 0 ? n : n + 1) >= 0;
  }

  /** Whether that was the last reference; then no further one can be had. */
  boolean release() {
    return references.updateAndGet(n -> n == 1 ? -1 : n - 1) < 0;
  }
}
