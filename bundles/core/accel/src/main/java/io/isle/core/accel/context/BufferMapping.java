package io.isle.core.accel.context;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.core.accel.memory.DeviceMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * CPU access to a buffer whose memory the CPU sees coherently: a flush is a fence. The memory moves
 * in a recovery; whatever was written to or read from the old one is told once.
 */
final class BufferMapping implements Mapping {
  private final DeviceBuffer buffer;
  private final DeviceMemory memory;

  /** What {@link #segment} gave last, and what it gave first since the last flush. */
  private DeviceMemory.View newest;

  private DeviceMemory.View unflushed;
  private int losses;
  private boolean closed;

  BufferMapping(DeviceBuffer buffer, DeviceMemory.View current) {
    this.buffer = buffer;
    this.memory = buffer.memory;
    this.newest = current;
    this.losses = memory.losses();
  }

  @Override
  public MemorySegment segment() {
    if (closed) {
      throw new IllegalStateException("the mapping is closed");
    }
    checkUsable();
    // before the losses: memory that is new here and lost is told, whenever it came
    DeviceMemory.View current = memory.view().orElse(null);
    int now = memory.losses();
    if (now != losses && newest != null) {
      losses = now;
      newest = null;
      unflushed = null;
      throw new AccelException(
          Errno.EINTR,
          "the device recovered and the contents of the buffer are lost; write or compute the"
              + " contents again");
    }
    if (current == null) {
      throw DeviceMemory.invisible();
    }
    losses = now;
    newest = current;
    if (unflushed == null) {
      unflushed = newest;
    }
    return newest.bytes;
  }

  @Override
  public void flush(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, buffer.size());
    checkUsable();
    VarHandle.fullFence();
    DeviceMemory.View written = unflushed == null || unflushed == newest ? newest : null;
    unflushed = null;
    newest = null;
    memory.flush(written, offset, length);
    newest = written;
  }

  @Override
  public void invalidate(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, buffer.size());
    checkUsable();
    if (memory.isRetiring()) {
      throw new AccelException(
          Errno.EINTR,
          "faulty pages of the memory are being replaced; try again after awaitUsable");
    }
    if (memory.isLost(offset, length)) {
      throw new AccelException(
          Errno.ENODATA,
          "the device recovered and the contents of this buffer are lost; compute the contents"
              + " again");
    }
    VarHandle.fullFence();
  }

  private void checkUsable() {
    if (memory.isGone()) {
      throw new IllegalStateException("the device and its memory were lost");
    }
    buffer.record.checkUsable();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      buffer.unmapped();
    }
  }
}
