package io.isle.core.accel;

import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/** CPU access to a buffer whose memory the CPU sees coherently: a flush is a fence. */
final class BufferMapping implements Mapping {
  private final DeviceBuffer buffer;
  private final MemorySegment segment;
  private boolean closed;

  BufferMapping(DeviceBuffer buffer, MemorySegment segment) {
    this.buffer = buffer;
    this.segment = segment;
  }

  @Override
  public MemorySegment segment() {
    if (closed) {
      throw new IllegalStateException("the mapping is closed");
    }
    if (buffer.memory.contents() == MemoryObject.Contents.LOST) {
      throw new IllegalStateException("the device was lost, and the memory with it");
    }
    return segment;
  }

  @Override
  public void flush(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, buffer.size());
    VarHandle.fullFence();
  }

  @Override
  public void invalidate(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, buffer.size());
    VarHandle.fullFence();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      buffer.unmapped();
    }
  }
}
