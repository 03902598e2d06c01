package io.isle.apps.chaos.work;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.apps.chaos.platform.Partial;
import java.lang.foreign.MemorySegment;

/** Memory of {@link FakeContext}: buffer, mapping and memory object in one. */
final class FakeBuffer {
  final byte[] bytes;
  final int flags;
  final Buffer handle = Partial.of(Buffer.class, this);

  /** How often it was written through a mapping. */
  int flushes;

  /** What a look at a mapping comes to. */
  Runnable onSegment = () -> {};

  boolean lost;

  FakeBuffer(int size, int flags) {
    bytes = new byte[size];
    this.flags = flags;
  }

  Mapping map() {
    return Partial.of(Mapping.class, this);
  }

  MemoryObject memory() {
    return Partial.of(MemoryObject.class, this);
  }

  MemoryObject.Contents contents() {
    return lost ? MemoryObject.Contents.LOST : MemoryObject.Contents.VALID;
  }

  MemorySegment segment() {
    onSegment.run();
    return MemorySegment.ofArray(bytes);
  }

  void flush(long offset, long length) {
    flushes++;
  }

  void invalidate(long offset, long length) {}

  void close() {}
}
