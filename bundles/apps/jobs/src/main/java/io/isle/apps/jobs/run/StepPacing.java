package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.measure.Barrier;
import io.isle.apps.jobs.measure.GroupWork;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * When a step begins and how long it goes on: once, so many times, until the faults are over, or
 * for a time that counts from its barrier. Used by the stream's thread but for {@link #goesOn}.
 */
final class StepPacing implements AutoCloseable {
  private static final long LARGEST = 1 << 20;
  private static final long LEAST = 4096;

  private final JobSpec.Step step;
  private final String group;
  private final StreamContext stream;
  private final StepClock clock;
  private final Optional<Barrier> barrier;
  private final IntPredicate again;

  /** Memory that is held besides. */
  private final Deque<Buffer> held = new ArrayDeque<>();

  private volatile long untilNs;
  private boolean filled;

  /**
   * @param again whether a step without a time runs once more, by the number of times that it ran
   */
  StepPacing(
      JobSpec.Step step,
      String group,
      StreamContext stream,
      StepClock clock,
      Optional<Barrier> barrier,
      IntPredicate again) {
    this.step = step;
    this.group = group;
    this.stream = stream;
    this.clock = clock;
    this.barrier = barrier;
    this.again = again;
  }

  /** Everything is ready for the first piece; waits for the others of the barrier. */
  void begin() throws InterruptedException {
    long begun = System.nanoTime();
    if (barrier.isPresent()) {
      GroupWork work =
          barrier.get().join(group, stream.device(), stream.context(), clock::listener);
      begun = barrier.get().openNs();
      work.held(hold());
    } else {
      long ignored = hold();
    }
    untilNs = begun + step.pace().forNs();
  }

  /** Takes as much memory as there is, in pieces that become smaller. */
  private long hold() {
    long taken = 0;
    long wanted = step.pace().hold();
    long size = LARGEST;
    while (taken < wanted) {
      size = Math.min(size, wanted - taken);
      try {
        held.push(stream.context().allocate(size, 0));
        taken += size;
      } catch (AccelException e) {
        if (Failures.passes(e.code())) {
          // the device recovers: what was held may be gone, and is not taken again
          return taken;
        }
        if (e.code() != Errno.ENOMEM) {
          throw e;
        }
        if (size < LEAST) {
          return taken;
        }
        size /= 2;
      }
    }
    return taken;
  }

  boolean isTimed() {
    return step.pace().forNs() > 0;
  }

  /**
   * Whether the time of a step that has one is not up, or what it did is being measured. By any
   * thread, once it has begun.
   */
  boolean goesOn() {
    return System.nanoTime() - untilNs < 0 || (barrier.isPresent() && !barrier.get().timeUp());
  }

  /** When the time of a step that has one is up. */
  long untilNs() {
    return untilNs;
  }

  /** Whether it runs once more. */
  boolean again(int pass) {
    return isTimed() ? goesOn() : again.test(pass);
  }

  /** As much is on its way as may be. */
  void filled() {
    if (!filled) {
      filled = true;
      barrier.ifPresent(Barrier::filled);
    }
  }

  /** There is no more to submit. */
  void over() throws InterruptedException {
    filled();
    if (barrier.isPresent()) {
      barrier.get().close();
    }
  }

  /** The memory that it holds is given back. */
  @Override
  public void close() {
    while (!held.isEmpty()) {
      try {
        held.pop().close();
      } catch (AccelException e) {
        org.slf4j.LoggerFactory.getLogger(StepPacing.class)
            .debug("memory went with its context", e);
      }
    }
  }
}
