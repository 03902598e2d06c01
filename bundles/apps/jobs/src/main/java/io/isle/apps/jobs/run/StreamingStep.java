package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A step that sends its input through a program piece by piece. The calling thread brings chunks
 * onto the device and takes results in order, several on their way at a time. A chunk is given back
 * only when its results were taken; until then it is written and submitted again as often as the
 * device is recovered, on a new context when the old one is lost.
 */
final class StreamingStep {
  /** How long an idle step waits for input before it looks at its context. */
  private static final long IDLE_MS = 100;

  /** How long it waits for a result before it looks for more input. */
  private static final long BUSY_NS = 1_000_000;

  private final Env env;
  private final StreamContext stream;
  private final StreamPlan plan;
  private final StepClock clock;
  private final JobSpec.Step step;
  private final SlotPool pool;
  private final Deque<Slot> working = new ArrayDeque<>();

  /** Chunks of a lost context, to be submitted before new ones. */
  private final Deque<Chunk> again = new ArrayDeque<>();

  private SlotWork work;
  private PieceResults results;
  private RetryPolicy policy;
  private StepPacing pacing;

  /** Whether pieces stay where they are and go through again. */
  private boolean staying;

  private boolean inputEnded;

  StreamingStep(Env env, StreamContext stream, StreamPlan plan, StepClock clock) {
    this.env = env;
    this.stream = stream;
    this.plan = plan;
    this.clock = clock;
    this.step = plan.step();
    this.pool = new SlotPool(env, stream, plan.layout(), step);
  }

  /**
   * Sends the input through, as often as its pacing says.
   *
   * @param firstOnly takes the results of the first pass only
   */
  void run(StepPacing stepPacing, boolean firstOnly) throws InterruptedException {
    pacing = stepPacing;
    // first, so that pieces are planned with the memory that is left
    plan.residents().bring(env, stream, step);
    pool.allocate(plan.units(), plan.groupItems());
    plan.check(pool.units());
    try (Arena arena = env.arrays().open();
        RetryPolicy stepPolicy = new RetryPolicy(env, stream, step)) {
      policy = stepPolicy;
      work = new SlotWork(env, stream, plan, clock, arena, pool.units());
      results = new PieceResults(env, plan, clock, work, pacing.isTimed());
      staying = plan.isEndless() && plan.fits(pool.slots(), pool.units());
      pacing.begin();
      int pass = 0;
      do {
        pass(plan.inputs(pass, pacing, staying ? pool.slots() : -1), pass == 0 || !firstOnly);
        pass++;
      } while (!plan.isEndless() && pacing.again(pass));
      pacing.over();
    }
    pool.close();
    plan.residents().release();
  }

  private void pass(List<? extends PieceInput> inputs, boolean taken) throws InterruptedException {
    inputEnded = false;
    results.begin();
    try (ChunkReader reader =
        new ChunkReader(
            step.name(),
            plan.layout(),
            inputs,
            env.arrays().open(),
            env.threadName(),
            pool.slots() + 1,
            pool.units(),
            plan.pieceUnits())) {
      reader.start();
      while (!(inputEnded && working.isEmpty() && again.isEmpty())) {
        submitAll(reader);
        if (!working.isEmpty()) {
          takeOldest(reader, taken);
        }
      }
      reader.check();
      for (PieceInput input : inputs) {
        input.checkUnchanged();
      }
    } catch (IOException e) {
      throw JobException.failed(Errno.EIO, "step " + step.name() + ": " + Failures.reason(e), e);
    } catch (InternalError e) {
      throw JobException.failed(
          Errno.EIO,
          "step " + step.name() + ": an input became shorter while it was read: " + e.getMessage(),
          e);
    } finally {
      inputs.forEach(PieceInput::closeOrLog);
    }
  }

  /** Submits what is there while there is room; waits for input only when nothing else is on. */
  private void submitAll(ChunkReader reader) throws InterruptedException {
    while (pool.hasIdle()) {
      Chunk chunk = again.poll();
      if (chunk == null && !inputEnded) {
        chunk = reader.next(working.isEmpty() ? IDLE_MS : 0);
      }
      if (chunk == null) {
        if (working.isEmpty() && !inputEnded) {
          lookAtContext();
        }
        return;
      }
      if (chunk.isEnd()) {
        inputEnded = true;
        if (plan.isEndless() && !staying) {
          pacing.over();
        }
        return;
      }
      Slot slot = pool.take();
      slot.chunk = chunk;
      working.add(slot);
      submit(slot);
    }
    pacing.filled();
  }

  /** A slow input does not hide that the device was lost meanwhile. */
  private void lookAtContext() throws InterruptedException {
    int status = stream.settle();
    if (status != 0 && stream.recover(status)) {
      renewSlots();
    }
  }

  /** Brings a slot's chunk onto the device, however often that takes. */
  private void submit(Slot slot) throws InterruptedException {
    while (working.contains(slot)) {
      int code = work.submit(slot);
      if (code == 0) {
        return;
      }
      env.measures().failed.increment();
      slot.failed();
      plan.residents().failed();
      repeat(slot, code, RetryPolicy.NONE);
    }
  }

  private void takeOldest(ChunkReader reader, boolean taken) throws InterruptedException {
    Slot slot = working.peek();
    boolean mayComeMore = !inputEnded && pool.hasIdle();
    int status = stream.context().await(slot.point, mayComeMore ? BUSY_NS : -1);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    if (mayComeMore && status == -Errno.ETIME) {
      return;
    }
    int epoch = slot.epoch;
    if (status != 0) {
      env.measures().failed.increment();
    } else {
      policy.done();
      status = work.copyResults(slot);
      epoch = RetryPolicy.NONE;
    }
    if (status != 0) {
      // the program may have changed a part of what it was given
      slot.failed();
      plan.residents().failed();
      repeat(slot, status, epoch);
      submit(slot);
      return;
    }
    plan.residents().arrived(slot.whole ? slot.epoch : RetryPolicy.NONE);
    results.take(slot.chunk, taken);
    working.remove(slot);
    if (staying) {
      if (pacing.goesOn()) {
        slot.chunk.retries = 0;
        working.add(slot);
        submit(slot);
        return;
      }
      pacing.over();
    }
    reader.done(slot.chunk);
    slot.chunk = null;
    slot.loaded = null;
    pool.give(slot);
  }

  /**
   * Waits until the slot's chunk may be submitted again, or moves all chunks to a new context.
   *
   * @param epoch in which its work was interrupted, or {@link RetryPolicy#NONE}
   */
  private void repeat(Slot slot, int code, int epoch) throws InterruptedException {
    if (!Failures.passes(code)) {
      throw Failures.work(
          env.device(), step, slot.chunk.number, code, stream.context().error(slot.point));
    }
    if (Failures.ends(code)) {
      env.measures().failed.add(working.size() - 1);
      for (Slot lost : working) {
        policy.again(lost.chunk, code);
      }
    } else {
      policy.again(slot.chunk, code);
    }
    if (policy.recover(code, epoch)) {
      renewSlots();
      return;
    }
    try {
      slot.remap();
    } catch (AccelException e) {
      repeat(slot, Failures.ofCall(e), RetryPolicy.NONE);
    }
  }

  /** The context is new: its chunks start from their own memory, in order. */
  private void renewSlots() throws InterruptedException {
    while (!working.isEmpty()) {
      again.addFirst(working.pollLast().chunk);
    }
    pool.renew();
  }
}
