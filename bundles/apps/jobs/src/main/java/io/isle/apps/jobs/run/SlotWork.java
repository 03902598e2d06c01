package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.kernel.Dispatch;
import io.isle.apps.jobs.platform.Failures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Brings the chunk of a slot onto the device and its results back; both say when a recovery came
 * between. Used by the stream's thread.
 */
final class SlotWork {
  private final StreamContext stream;
  private final StreamPlan plan;
  private final Ending ending;
  private final StepClock clock;
  private final List<Lane> lanes;
  private final int[] uses;

  /** Of each lane with results; null for others. */
  private final MemorySegment[] results;

  /**
   * @param arena of the results
   * @param units of the largest chunk
   */
  SlotWork(
      Env env, StreamContext stream, StreamPlan plan, StepClock clock, Arena arena, long units) {
    this.stream = stream;
    this.plan = plan;
    this.ending = env.ending();
    this.clock = clock;
    lanes = plan.layout().lanes();
    uses = new int[lanes.size() + plan.residents().count()];
    results = new MemorySegment[lanes.size()];
    for (int i = 0; i < results.length; i++) {
      long bytes = lanes.get(i).resultBytes(units);
      results[i] = bytes == 0 ? null : arena.allocate(bytes, Long.BYTES);
    }
  }

  /** Writes and submits it; returns 0 or a negated code. */
  int submit(Slot slot) throws InterruptedException {
    int there = plan.residents().ensure(stream);
    if (there != 0) {
      return there;
    }
    // What brought the residents back may have loaded another step's program.
    Program program = stream.load(plan.source());
    Context context = stream.context();
    boolean stays = slot.loaded == slot.chunk && slot.whole && slot.epoch == stream.epoch();
    slot.epoch = stream.epoch();
    long begun = System.nanoTime();
    try {
      if (!stays) {
        slot.load();
        slot.loaded = slot.chunk;
      }
    } catch (AccelException e) {
      return Failures.ofCall(e);
    } catch (IllegalStateException e) {
      return unmapped();
    }
    clock.transferred(begun, System.nanoTime());
    // before the slot of the queue is taken: its numbers may be refused
    Dispatch dispatch = plan.dispatch(slot.chunk.units);
    slot.point = stream.submit(writer -> write(writer, slot, program, dispatch));
    if (slot.point > 0) {
      slot.submitted();
      plan.residents().submitted(clock);
    }
    slot.whole = stream.epoch() == slot.epoch && stream.context() == context;
    return slot.point > 0 ? 0 : (int) slot.point;
  }

  private void write(CommandWriter writer, Slot slot, Program program, Dispatch dispatch) {
    slot.use(writer, uses, plan.lanePlaces());
    plan.residents().use(writer, uses, slot.epoch);
    if (plan.step().replay()) {
      CommandWriter ignored = writer.replayable();
    }
    slot.fill(writer, uses, plan.lanePlaces());
    plan.residents().restore(writer, uses);
    dispatch.write(writer, program, uses);
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
    while (hasResults()) {
      int before = stream.epoch();
      boolean copied = false;
      long begun = System.nanoTime();
      try {
        copy(slot);
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
        clock.transferred(begun, System.nanoTime());
        boolean there = before == slot.epoch || slot.resultsAreThere();
        return slot.whole && there ? 0 : -Errno.ENODATA;
      }
    }
    return 0;
  }

  private boolean hasResults() {
    for (MemorySegment result : results) {
      if (result != null) {
        return true;
      }
    }
    return false;
  }

  private void copy(Slot slot) {
    for (int i = 0; i < results.length; i++) {
      if (results[i] != null) {
        slot.copyResults(i, results[i], lanes.get(i).resultBytes(slot.chunk.units));
      }
    }
  }

  /** What {@link #copyResults} copied last of a lane, valid until it copies again. */
  MemorySegment results(int lane, Chunk chunk) {
    return results[lane] == null
        ? MemorySegment.NULL
        : results[lane].asSlice(0, lanes.get(lane).resultBytes(chunk.units));
  }
}
