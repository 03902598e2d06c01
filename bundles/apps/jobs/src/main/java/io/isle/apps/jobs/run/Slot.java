package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Device memory for one piece on its way: input and result, mapped while the step runs. */
final class Slot implements AutoCloseable {
  final Buffer in;
  final Buffer out;
  private final Mapping inMapping;
  private final Mapping outMapping;
  private final ByteBuffer inBytes;

  /** Bytes of input in this piece; -1 marks the end of the input. */
  long length;

  /** The submission's point, or a negated code. */
  long point;

  private Slot(Buffer in, Mapping inMapping, Buffer out, Mapping outMapping) {
    this.in = in;
    this.inMapping = inMapping;
    this.out = out;
    this.outMapping = outMapping;
    this.inBytes = inMapping == null ? null : inMapping.segment().asByteBuffer();
  }

  /** The end of the input. */
  static Slot end() {
    Slot slot = new Slot(null, null, null, null);
    slot.length = -1;
    return slot;
  }

  /** Allocates and maps; {@code outBytes} 0 for no results. */
  static Slot allocate(Context context, long inBytes, long outBytes) {
    Buffer in = context.allocate(inBytes, 0);
    Mapping inMapping = in.map();
    if (outBytes == 0) {
      return new Slot(in, inMapping, null, null);
    }
    Buffer out = context.allocate(outBytes, 0);
    return new Slot(in, inMapping, out, out.map());
  }

  /** The input's memory, empty, to be filled up to {@code bytes}. */
  ByteBuffer fillable(long bytes) {
    return inBytes.clear().limit((int) bytes);
  }

  void flush() {
    inMapping.flush(0, length);
  }

  MemorySegment results(long bytes) {
    outMapping.invalidate(0, bytes);
    return outMapping.segment().asSlice(0, bytes);
  }

  @Override
  public void close() {
    if (inMapping != null) {
      inMapping.close();
      in.close();
    }
    if (outMapping != null) {
      outMapping.close();
      out.close();
    }
  }
}
