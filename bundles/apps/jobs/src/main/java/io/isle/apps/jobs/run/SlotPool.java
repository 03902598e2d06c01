package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;

/** The slots of a step, as many as its plan has or as there is memory for. By one thread. */
final class SlotPool {
  /** Most bytes of a block or row: a piece is one buffer of the JVM. */
  static final long MAX_UNIT = 1L << 30;

  private final Env env;
  private final StreamContext stream;
  private final Layout layout;
  private final JobSpec.Step step;
  private final Deque<Slot> idle = new ArrayDeque<>();
  private ChunkPlan plan;

  SlotPool(Env env, StreamContext stream, Layout layout, JobSpec.Step step) {
    this.env = env;
    this.stream = stream;
    this.layout = layout;
    this.step = step;
  }

  /**
   * Plans for an input and makes the slots.
   *
   * @param units of the input, or -1
   * @param group as for {@link ChunkPlan#of}
   * @throws JobException ENOMEM when not even one block fits; EINVAL when one is too long
   */
  void allocate(long units, long group) throws InterruptedException {
    long budget = stream.freeMemory();
    for (Lane lane : layout.lanes()) {
      if (Math.max(lane.in(), lane.out()) > MAX_UNIT) {
        throw JobException.failed(
            Errno.EINVAL,
            "step "
                + step.name()
                + ": a block or row has "
                + Math.max(lane.in(), lane.out())
                + " bytes; the limit of a step that works in pieces is "
                + MAX_UNIT,
            null);
      }
    }
    while (true) {
      plan = ChunkPlan.of(layout, step.pace(), units, budget, group);
      if (plan.slots() == 0) {
        throw tooSmall(budget);
      }
      if (fill(plan.slots())) {
        return;
      }
      // Others take memory at the same time: try again with half.
      idle.forEach(Slot::close);
      idle.clear();
      budget /= 2;
    }
  }

  /** Makes slots of the same size on a new context; fewer, if there is no memory for all. */
  void renew() throws InterruptedException {
    idle.clear();
    if (!fill(plan.slots()) && idle.isEmpty()) {
      throw tooSmall(stream.freeMemory());
    }
  }

  /** False when the device's memory is full. */
  private boolean fill(int count) throws InterruptedException {
    long until = System.nanoTime() + env.patience().recoveryNs();
    while (idle.size() < count) {
      try {
        idle.add(
            Slot.allocate(
                stream.context(),
                stream.epoch(),
                layout.lanes(),
                plan.units(),
                step.replay() ? Buffer.RETAINED : 0));
      } catch (AccelException e) {
        if (e.code() == Errno.ENOMEM) {
          return false;
        }
        int code = Failures.ofCall(e);
        if (!Failures.passes(code) || System.nanoTime() - until >= 0) {
          throw e;
        }
        if (stream.recover(code)) {
          idle.clear();
        }
      }
    }
    return true;
  }

  private JobException tooSmall(long budget) {
    return JobException.failed(
        Errno.ENOMEM,
        env.device()
            + ": step "
            + step.name()
            + ": a block of "
            + (layout.inputBytes() > 0 ? layout.inputBytes() : layout.unitBytes())
            + " bytes does not fit into the device's free memory ("
            + budget
            + " bytes); use smaller blocks or a device with more memory",
        null);
  }

  /** Slots that the plan has. */
  int slots() {
    return plan.slots();
  }

  /** Units of a chunk. */
  long units() {
    return plan.units();
  }

  boolean hasIdle() {
    return !idle.isEmpty();
  }

  Slot take() {
    return idle.poll();
  }

  void give(Slot slot) {
    idle.add(slot);
  }

  /**
   * Gives idle slots' memory back. For the end of a step that went well: what is perhaps still in
   * use goes with the context.
   */
  void close() {
    idle.forEach(Slot::close);
    idle.clear();
  }
}
