package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import java.lang.foreign.MemorySegment;

/** Device memory for one chunk on its way: input and result, mapped while the step runs. */
final class Slot implements AutoCloseable {
  private final Buffer in;
  private final Buffer out;
  private Mapping inMapping;
  private Mapping outMapping;

  /** What it works on. */
  Chunk chunk;

  /** Point of the submission. */
  long point;

  /** Epoch of the device before the submission. */
  int epoch;

  /**
   * Whether the epoch was the same after the submission: else the chunk was perhaps written to
   * memory that is gone, and the submission read other memory.
   */
  boolean whole;

  private Slot(Buffer in, Buffer out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Allocates and maps.
   *
   * @param inFlags of {@link Buffer}, for the input
   * @param outBytes 0 for no results
   */
  static Slot allocate(Context context, long inBytes, int inFlags, long outBytes) {
    Buffer in = context.allocate(inBytes, inFlags);
    Slot slot;
    try {
      slot = new Slot(in, outBytes == 0 ? null : context.allocate(outBytes, 0));
    } catch (AccelException e) {
      in.close();
      throw e;
    }
    try {
      slot.map();
    } catch (RuntimeException e) {
      slot.drop(e);
      throw e;
    }
    return slot;
  }

  private void drop(RuntimeException why) {
    try {
      close();
    } catch (AccelException e) {
      why.addSuppressed(e);
    }
  }

  private void map() {
    inMapping = in.map();
    outMapping = out == null ? null : out.map();
  }

  /** Maps anew: after a recovery the memory may be elsewhere. */
  void remap() {
    unmap();
    map();
  }

  /** Copies the chunk to the device. */
  void load() {
    MemorySegment.copy(chunk.memory, 0, inMapping.segment(), 0, chunk.length);
    inMapping.flush(0, chunk.length);
  }

  int useIn(CommandWriter writer) {
    return writer.use(in, 0, chunk.length, Buffer.READ);
  }

  /** Index of the used range, all of it so that nothing of it stays lost; -1 without results. */
  int useOut(CommandWriter writer) {
    return out == null ? -1 : writer.use(out, 0, out.size(), Buffer.WRITE);
  }

  /** Whether no recovery has taken the results since they were written. */
  boolean resultsAreThere() {
    return out.memory().contents() == MemoryObject.Contents.VALID;
  }

  /** Copies the results to the front of {@code to}. */
  void copyResults(MemorySegment to, long bytes) {
    outMapping.invalidate(0, bytes);
    MemorySegment.copy(outMapping.segment(), 0, to, 0, bytes);
  }

  private void unmap() {
    if (inMapping != null) {
      inMapping.close();
      inMapping = null;
    }
    if (outMapping != null) {
      outMapping.close();
      outMapping = null;
    }
  }

  @Override
  public void close() {
    unmap();
    try {
      in.close();
    } finally {
      if (out != null) {
        out.close();
      }
    }
  }
}
