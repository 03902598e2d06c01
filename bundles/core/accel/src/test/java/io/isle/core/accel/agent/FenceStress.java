package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.FenceTable;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.fence.Ringing;
import io.isle.core.accel.fence.Watchers;
import io.isle.core.accel.machine.PointEndings;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.PointTimeline;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of fences, run by {@link RacesTest}. A result that no outcome names is an error. */
public final class FenceStress {
  private FenceStress() {}

  /** Remembers that it was rung. */
  public static final class Rung implements Ringing {
    public volatile boolean rung;

    @Override
    public void ring() {
      rung = true;
    }

    @Override
    public boolean isGone() {
      return false;
    }
  }

  /** An agent ends a point while another one begins to wait for it: seen, or rung. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "seen and rung")
  @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "seen")
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "rung")
  @State
  public static class EndedPoint {
    private final Rung bell = new Rung();
    private final PointTimeline timeline = new PointTimeline(1, null, FenceOwner.NOBODY, 2);
    private final PointEndings endings = new PointEndings(1);
    private final Publisher publisher = new Publisher(endings);

    public EndedPoint() {
      endings.open(0, new ContextQueue(1, timeline, 0, 64, 2), false);
      timeline.publish(1);
    }

    @Actor
    public void agent() {
      endings.record(0, 1, 0);
      publisher.run();
    }

    @Actor
    public void waiter(ZZ_Result result) {
      timeline.watch(bell);
      result.r1 = timeline.outcome(1, 0) == 0;
    }

    @Arbiter
    public void look(ZZ_Result result) {
      result.r2 = bell.rung;
    }
  }

  /** As {@link EndedPoint}, for a point that a tenant signals. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "seen and rung")
  @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "seen")
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "rung")
  @State
  public static class SignalledPoint {
    private final Rung bell = new Rung();
    private final HostPoints points = new HostPoints(() -> 0, point -> {});

    @Actor
    public void tenant() {
      int ignored = points.signal(1, 0);
    }

    @Actor
    public void waiter(ZZ_Result result) {
      points.watch(bell);
      result.r1 = points.outcome(1, 0) == 0;
    }

    @Arbiter
    public void look(ZZ_Result result) {
      result.r2 = bell.rung;
    }
  }

  /** Of a signal and the end of a timeline one is first, and waits agree about it. */
  @JCStressTest
  @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "signalled, then ended")
  @Outcome(id = "-4098, 1, -4098", expect = Expect.ACCEPTABLE, desc = "ended before")
  @State
  public static class SignalOrEnd {
    private final HostPoints points = new HostPoints(() -> 0, point -> {});

    @Actor
    public void signal(III_Result result) {
      result.r1 = points.signal(1, 0);
    }

    @Actor
    public void end(III_Result result) {
      result.r2 = points.end(Errno.ECLOSED) ? 1 : 0;
    }

    @Arbiter
    public void look(III_Result result) {
      result.r3 = points.outcome(1, 0);
    }
  }

  /** A point that was signalled as failed is never seen as a good one. */
  @JCStressTest
  @Outcome(id = "-115", expect = Expect.ACCEPTABLE, desc = "not yet")
  @Outcome(id = "-5", expect = Expect.ACCEPTABLE, desc = "failed")
  @State
  public static class FailedPoint {
    private final HostPoints points = new HostPoints(() -> 0, point -> {});

    @Actor
    public void signal() {
      int ignored = points.signal(1, -Errno.EIO);
    }

    @Actor
    public void look(I_Result result) {
      result.r1 = points.status(1);
    }
  }

  /** Two signals of the same point: one counts. */
  @JCStressTest
  @Outcome(id = "0, -22", expect = Expect.ACCEPTABLE, desc = "the first")
  @Outcome(id = "-22, 0", expect = Expect.ACCEPTABLE, desc = "the second")
  @State
  public static class SamePoint {
    private final HostPoints points = new HostPoints(() -> 0, point -> {});

    @Actor
    public void one(II_Result result) {
      result.r1 = points.signal(7, 0);
    }

    @Actor
    public void two(II_Result result) {
      result.r2 = points.signal(7, 0);
    }
  }

  /** Two that begin to watch at the same time are both rung. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both")
  @State
  public static class TwoWatchers {
    private final Watchers watchers = new Watchers();
    private final Rung one = new Rung();
    private final Rung two = new Rung();

    @Actor
    public void one() {
      watchers.add(one);
    }

    @Actor
    public void two() {
      watchers.add(two);
    }

    @Arbiter
    public void look(ZZ_Result result) {
      watchers.ring();
      result.r1 = one.rung;
      result.r2 = two.rung;
    }
  }

  /** An index of the table gets another owner: an id finds its own timeline or none. */
  @JCStressTest
  @Outcome(id = "[01], [02]", expect = Expect.ACCEPTABLE, desc = "its own or none")
  @State
  public static class ReusedIndex {
    private static final long FIRST = Ids.of(Ids.HOST_TIMELINE, 1, 0);
    private static final long SECOND = Ids.of(Ids.HOST_TIMELINE, 2, 0);
    private final FenceTable table = new FenceTable();
    private final FenceSource first = source(FIRST);
    private final FenceSource second = source(SECOND);

    public ReusedIndex() {
      table.add(first);
    }

    @Actor
    public void owner() {
      table.remove(first);
      table.add(second);
    }

    @Actor
    public void finder(II_Result result) {
      result.r1 = number(table.find(FIRST));
      result.r2 = number(table.find(SECOND));
    }

    private int number(FenceSource found) {
      return found == null ? 0 : found == first ? 1 : found == second ? 2 : 3;
    }
  }

  private static FenceSource source(long id) {
    return new PointTimeline(id, null, FenceOwner.NOBODY, 2);
  }
}
