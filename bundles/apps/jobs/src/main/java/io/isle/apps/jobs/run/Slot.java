package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** Device memory for one chunk on its way, a buffer a lane, mapped while the step runs. */
final class Slot implements AutoCloseable {
  private static final int NONE = -1;

  private final List<Lane> lanes;
  private final Buffer[] buffers;
  private final Mapping[] mappings;

  /** Memory that no submission has had yet, and that is all zeros. */
  private final boolean[] fresh;

  /**
   * Epoch in which a device's own copy of the memory is as earlier work left it, so that nothing
   * need be copied in; {@link #NONE} for none.
   */
  private final int[] copied;

  /** What it works on. */
  Chunk chunk;

  /** What lies in its memory already, as it was read, unless a recovery took it. */
  Chunk loaded;

  /** Point of the submission. */
  long point;

  /** Epoch of the device before the submission. */
  int epoch;

  /**
   * Whether the epoch was the same after the submission: else the chunk was perhaps written to
   * memory that is gone, and the submission read other memory.
   */
  boolean whole;

  private Slot(List<Lane> lanes) {
    this.lanes = lanes;
    buffers = new Buffer[lanes.size()];
    mappings = new Mapping[lanes.size()];
    fresh = new boolean[lanes.size()];
    copied = new int[lanes.size()];
  }

  /**
   * Allocates and maps.
   *
   * @param units of the largest chunk
   * @param epoch of the stream
   * @param inFlags of {@link Buffer}, for what the program only reads
   */
  static Slot allocate(Context context, int epoch, List<Lane> lanes, long units, int inFlags) {
    Slot slot = new Slot(lanes);
    try {
      for (int i = 0; i < slot.buffers.length; i++) {
        Lane lane = lanes.get(i);
        slot.buffers[i] =
            context.allocate(
                Math.max(1, lane.bytes(units)), lane.access() == Buffer.READ ? inFlags : 0);
        slot.fresh[i] = true;
        slot.copied[i] = epoch;
      }
      slot.map();
      return slot;
    } catch (RuntimeException e) {
      slot.drop(e);
      throw e;
    }
  }

  private void drop(RuntimeException why) {
    try {
      close();
    } catch (AccelException e) {
      why.addSuppressed(e);
    }
  }

  private void map() {
    for (int i = 0; i < buffers.length; i++) {
      mappings[i] = buffers[i].map();
    }
  }

  /** Maps anew: after a recovery the memory may be elsewhere. */
  void remap() {
    unmap();
    map();
  }

  /** Copies the chunk to the device, and what its results begin with where the CPU writes that. */
  void load() throws InterruptedException {
    for (int i = 0; i < buffers.length; i++) {
      Lane lane = lanes.get(i);
      long length = chunk.length(i);
      if (lane.in() > 0) {
        if (length > 0) {
          chunk.copy(i, mappings[i].segment());
          mappings[i].flush(0, length);
        }
        continue;
      }
      if (isLost(i)) {
        // Whatever it has now may be read: the program may have to be allowed to.
        mappings[i].flush(0, buffers[i].size());
        fresh[i] = false;
      }
      if (lane.filling().isPresent() && !lane.filling().get().repeats()) {
        long bytes = lane.resultBytes(chunk.units);
        lane.filling().get().write(mappings[i].segment().asSlice(0, bytes));
        mappings[i].flush(0, bytes);
      }
    }
  }

  private boolean isLost(int lane) {
    return buffers[lane].memory().contents() != MemoryObject.Contents.VALID;
  }

  /**
   * Names its memory for a submission; of what is only written all of it, so that nothing of it
   * stays lost.
   *
   * @param uses takes the index of each lane
   * @param places of the lanes in {@code uses}
   */
  void use(CommandWriter writer, int[] uses, List<Integer> places) {
    for (int i = 0; i < buffers.length; i++) {
      Lane lane = lanes.get(i);
      long bytes = lane.in() == 0 ? buffers[i].size() : chunk.length(i);
      int access = copied[i] == epoch ? lane.access() : lane.access() & ~Buffer.NO_COPY_IN;
      uses[places.get(i)] = writer.use(buffers[i], 0, bytes, access);
    }
  }

  /** Work was submitted: the device's own copies are those of this epoch. */
  void submitted() {
    Arrays.fill(copied, epoch);
  }

  /** Work did not end well: the next one is given all memory anew. */
  void failed() {
    loaded = null;
    Arrays.fill(copied, NONE);
  }

  /** Has the device fill what results begin with, after {@link #use}; new memory has zeros. */
  void fill(CommandWriter writer, int[] uses, List<Integer> places) {
    for (int i = 0; i < buffers.length; i++) {
      Lane lane = lanes.get(i);
      Filling filling = lane.filling().orElse(null);
      boolean there = filling == null || (fresh[i] && filling.isZeros());
      if (!there && filling.repeats()) {
        filling.fill(writer, uses[places.get(i)], lane.resultBytes(chunk.units));
      }
      fresh[i] = false;
    }
  }

  /** Whether no recovery has taken results since they were written. */
  boolean resultsAreThere() {
    for (int i = 0; i < buffers.length; i++) {
      if (lanes.get(i).out() > 0 && isLost(i)) {
        return false;
      }
    }
    return true;
  }

  /** Copies the results of a lane to the front of {@code to}. */
  void copyResults(int lane, MemorySegment to, long bytes) {
    mappings[lane].invalidate(0, bytes);
    MemorySegment.copy(mappings[lane].segment(), 0, to, 0, bytes);
  }

  private void unmap() {
    for (int i = 0; i < mappings.length; i++) {
      if (mappings[i] != null) {
        mappings[i].close();
        mappings[i] = null;
      }
    }
  }

  @Override
  public void close() {
    unmap();
    AccelException failure = null;
    for (Buffer buffer : buffers) {
      try {
        if (buffer != null) {
          buffer.close();
        }
      } catch (AccelException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
