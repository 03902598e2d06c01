package io.isle.core.accel.agent;

import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.machine.PointEndings;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.HostWaiters;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.queue.Waiters;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Races of completions and of who waits for them, run by {@link RacesTest}. */
public final class RingStress {
  private static final AgentBells BELLS =
      new AgentBells(Arena.global().allocate(64, 64), Arena.global());

  private RingStress() {}

  /** Two threads of a driver complete the same work: one is believed, and all of what it says. */
  @JCStressTest
  @Outcome(id = "0, -116, 1", expect = Expect.ACCEPTABLE, desc = "the first")
  @Outcome(id = "-116, 0, 2", expect = Expect.ACCEPTABLE, desc = "the second")
  @State
  public static class SameTag {
    private static final long TAG = 1L << 32;
    private final CompletionRing ring = new CompletionRing(2, new Bell(BELLS));

    public SameTag() {
      ring.arm(0, TAG);
    }

    @Actor
    public void one(III_Result result) {
      result.r1 = ring.complete(TAG, 0, 1, 1, 1, 1);
    }

    @Actor
    public void two(III_Result result) {
      result.r2 = ring.complete(TAG, 0, 2, 2, 2, 2);
    }

    @Arbiter
    public void agent(III_Result result) {
      result.r3 = taken(ring);
    }
  }

  /** The agent takes what is being completed: all of it, or nothing yet. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not yet")
  @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "all of it")
  @State
  public static class Taking {
    private static final long TAG = 1L << 32;
    private final CompletionRing ring = new CompletionRing(2, new Bell(BELLS));

    public Taking() {
      ring.arm(0, TAG);
    }

    @Actor
    public void driver() {
      int ignored = ring.complete(TAG, 0, 7, 7, 7, 7);
    }

    @Actor
    public void agent(I_Result result) {
      result.r1 = taken(ring);
    }
  }

  private static int taken(CompletionRing ring) {
    int index = ring.take();
    if (index < 0) {
      return 0;
    }
    int detail = ring.detail(index);
    boolean whole =
        ring.startNs(index) == detail
            && ring.endNs(index) == detail
            && ring.busyNs(index) == detail
            && ring.status(index) == 0;
    return whole ? detail : -1;
  }

  /** A thread goes to sleep for a point while the agent ends it: it is woken. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "woken, or did not sleep")
  @State
  public static class Sleeping {
    private static final long TOO_LONG_NS = 2_000_000_000L;
    private final PointTimeline timeline = new PointTimeline(1, null, FenceOwner.NOBODY, 2);
    private final ContextQueue queue = new ContextQueue(1, timeline, 0, 64, 2);
    private final PointEndings endings = new PointEndings(1);
    private final Publisher publisher = new Publisher(endings);

    public Sleeping() {
      endings.open(0, queue, false);
      timeline.publish(1);
    }

    @Actor
    public void agent() {
      endings.record(0, 1, 0);
      while (publisher.run() > 0) {
        Thread.onSpinWait();
      }
    }

    @Actor
    public void sleeper(I_Result result) {
      Waiters.Place place = queue.waiters.enter(1);
      long started = System.nanoTime();
      while (!timeline.isOver(1)) {
        LockSupport.parkNanos(queue.waiters, TOO_LONG_NS);
      }
      queue.waiters.leave(place);
      result.r1 = System.nanoTime() - started < TOO_LONG_NS ? 0 : 1;
    }
  }

  /** As {@link Sleeping}, for a point that a tenant signals, behind as many as a signal wakes. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "woken, or did not sleep")
  @State
  public static class SleepingForASignal {
    private final HostWaiters waiters = new HostWaiters(() -> this.points.due());
    private final HostPoints points = new HostPoints(() -> 0, waiters::wake);

    private final HostWaiters.Place[] before = new HostWaiters.Place[HostWaiters.AT_ONCE];

    public SleepingForASignal() {
      for (int i = 0; i < before.length; i++) {
        before[i] = waiters.enter(1);
      }
    }

    @Actor
    public void tenant() {
      int ignored = points.signal(1, 0);
      for (HostWaiters.Place place : before) {
        waiters.leave(place);
      }
    }

    @Actor
    public void sleeper(I_Result result) {
      HostWaiters.Place place = waiters.enter(1);
      long started = System.nanoTime();
      while (points.due() < 1) {
        LockSupport.parkNanos(waiters, Sleeping.TOO_LONG_NS);
      }
      waiters.leave(place);
      result.r1 = System.nanoTime() - started < Sleeping.TOO_LONG_NS ? 0 : 1;
    }
  }
}
