package io.isle.apps.jobs;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of a {@link FakeContext}, lost when its device crashes unless it is retained. */
final class FakeBuffer implements Buffer, MemoryObject {
  private final Arena arena = Arena.ofShared();
  final MemorySegment bytes;
  private final FakeContext context;
  private final boolean retained;

  /** Whether the device works on a copy of its own. */
  private final boolean apart;

  private boolean lost;

  /** Whether the device's own copy is not as earlier work left it. */
  private boolean stale;

  /** How often a device's own copy went. */
  private int copiesLost;

  /** What operations work on: the same memory, or a copy of a device that has copies. */
  private final MemorySegment device;

  FakeBuffer(FakeContext context, long size, boolean retained, boolean copied) {
    this.context = context;
    bytes = arena.allocate(size, 64);
    apart = copied;
    device = copied ? arena.allocate(size, 64) : bytes;
    this.retained = retained;
  }

  MemorySegment device() {
    return device;
  }

  synchronized void lose() {
    copiesLost++;
    stale = true;
    if (!retained) {
      bytes.fill((byte) 0x5a);
      device.fill((byte) 0x5b);
      lost = true;
    }
  }

  synchronized void carryOver() {
    copiesLost++;
    stale = true;
    if (apart) {
      device.fill((byte) 0x5c);
    }
  }

  synchronized int copiesLost() {
    return copiesLost;
  }

  synchronized boolean isStale() {
    return stale;
  }

  /** A submission copies or writes it. */
  synchronized void copied() {
    stale = false;
  }

  synchronized void found() {
    lost = false;
  }

  void spoil() {
    for (long at = 0; at < bytes.byteSize(); at += 32) {
      bytes.set(ValueLayout.JAVA_BYTE, at, (byte) ~bytes.get(ValueLayout.JAVA_BYTE, at));
    }
  }

  synchronized boolean isLost() {
    return lost;
  }

  @Override
  public long id() {
    return 1;
  }

  @Override
  public long size() {
    return bytes.byteSize();
  }

  @Override
  public MemoryObject memory() {
    return this;
  }

  @Override
  public Contents contents() {
    return isLost() ? Contents.LOST : Contents.VALID;
  }

  @Override
  public int references() {
    return 1;
  }

  @Override
  public Mapping map() {
    context.check();
    context.checkMap();
    return new FakeMapping(this);
  }

  @Override
  public void close() {
    if (context.free(this)) {
      arena.close();
    }
  }

  private record FakeMapping(FakeBuffer buffer) implements Mapping {
    @Override
    public MemorySegment segment() {
      if (buffer.context.unmapsNow()) {
        // As the JDK leaves a thread that was in the middle of a copy.
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Already closed");
      }
      return buffer.bytes;
    }

    @Override
    public void flush(long offset, long length) {
      buffer.found();
    }

    @Override
    public void invalidate(long offset, long length) {}

    @Override
    public void close() {}
  }
}
