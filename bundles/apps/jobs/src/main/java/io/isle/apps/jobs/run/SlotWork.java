package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Brings the chunk of a slot onto the device and its results back; both say when a recovery came
 * between. Used by the stream's thread.
 */
final class SlotWork {
  private final StreamContext stream;
  private final Arguments arguments;
  private final Shape shape;
  private final boolean replay;
  private final Ending ending;
  private final MemorySegment results;

  /**
   * @param arena of the results
   * @param bytes of the largest chunk
   */
  SlotWork(
      Env env,
      StreamContext stream,
      Arguments arguments,
      Shape shape,
      JobSpec.Step step,
      Arena arena,
      long bytes) {
    this.stream = stream;
    this.arguments = arguments;
    this.shape = shape;
    this.replay = step.replay();
    this.ending = env.ending();
    this.results = arena.allocate(Math.max(1, shape.resultBytes(bytes)), Long.BYTES);
  }

  /** Writes and submits it; returns 0 or a negated code. */
  int submit(Slot slot) {
    Context context = stream.context();
    slot.epoch = stream.epoch();
    try {
      slot.load();
    } catch (AccelException e) {
      return Failures.ofCall(e);
    } catch (IllegalStateException e) {
      return unmapped();
    }
    CommandWriter writer = context.writer();
    if (writer != null) {
      write(writer, slot);
    }
    slot.point = context.submit(writer);
    slot.whole = stream.epoch() == slot.epoch;
    return slot.point > 0 ? 0 : (int) slot.point;
  }

  private void write(CommandWriter writer, Slot slot) {
    int in = slot.useIn(writer);
    int out = slot.useOut(writer);
    if (replay) {
      CommandWriter ignored = writer.replayable();
    }
    int units = (int) Math.min(shape.units(slot.chunk.length), Integer.MAX_VALUE);
    writer.dispatch(stream.program(), 0, units, 1, 1);
    arguments.write(writer, in, out);
  }

  /** The mapping is of memory that went with the old driver. */
  private int unmapped() {
    ending.forgive();
    return -Errno.ENODATA;
  }

  /**
   * Copies results that are those of the submission, not of memory made anew under our hands.
   *
   * @return 0, or a negated code when they are lost
   */
  int copyResults(Slot slot) throws InterruptedException {
    long bytes = shape.resultBytes(slot.chunk.length);
    while (bytes > 0) {
      int before = stream.epoch();
      boolean copied = false;
      try {
        slot.copyResults(results, bytes);
        copied = true;
      } catch (AccelException e) {
        // Interrupted: what was carried over can be copied when the device is back.
        if (e.code() != Errno.EINTR) {
          return -e.code();
        }
      } catch (IllegalStateException e) {
        return unmapped();
      }
      int status = stream.settle();
      if (status != 0) {
        return status;
      }
      if (copied && stream.epoch() == before) {
        boolean there = before == slot.epoch || slot.resultsAreThere();
        return slot.whole && there ? 0 : -Errno.ENODATA;
      }
    }
    return 0;
  }

  /** What {@link #copyResults} copied last, valid until it copies again. */
  MemorySegment results(Chunk chunk) {
    return results.asSlice(0, shape.resultBytes(chunk.length));
  }
}
