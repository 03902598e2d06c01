package io.isle.apps.jobs.run;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What becomes of the results of pieces that are done: they are checked, go to the sinks in order,
 * are counted, and the job's observer is told. Used by the stream's thread.
 */
final class PieceResults {
  private static final long TELL_NS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Env env;
  private final StreamPlan plan;
  private final StepClock clock;
  private final SlotWork work;
  private final boolean timed;
  private long toldNs;

  /** Bytes of this pass. */
  private long done;

  /**
   * @param timed of a step that goes on for a time
   */
  PieceResults(Env env, StreamPlan plan, StepClock clock, SlotWork work, boolean timed) {
    this.env = env;
    this.plan = plan;
    this.clock = clock;
    this.work = work;
    this.timed = timed;
  }

  /** The first piece comes next. */
  void begin() {
    done = 0;
  }

  /**
   * Takes what {@link SlotWork#copyResults} copied last.
   *
   * @param kept whether the sinks get it
   */
  void take(Chunk chunk, boolean kept) throws InterruptedException {
    List<Lane> lanes = plan.layout().lanes();
    int next = 0;
    for (int lane = 0; lane < lanes.size(); lane++) {
      if (lanes.get(lane).out() == 0) {
        continue;
      }
      MemorySegment found = work.results(lane, chunk);
      PieceCheck check = plan.checks().get(lane);
      if (check != null) {
        check.check(chunk, found);
      }
      if (kept) {
        Sink sink = plan.sinks().get(next++);
        sink.accept(found);
        sink.flush();
      }
    }
    env.measures().finished(chunk.length(), plan.blocks().applyAsLong(chunk));
    clock.finished(chunk.length());
    done += chunk.length();
    tell();
  }

  /** Of a step with a time not every piece: telling waits for the job's thread. */
  private void tell() {
    long now = System.nanoTime();
    if (!timed || now - toldNs >= TELL_NS) {
      toldNs = now;
      env.observer().progress(done, timed ? -1 : plan.bytes());
    }
  }
}
