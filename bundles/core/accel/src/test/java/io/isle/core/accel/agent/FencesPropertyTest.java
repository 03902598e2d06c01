package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.fence.Ringing;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.Schedulers;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.PointTimeline;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Submissions of several contexts that wait for each other, for tenants' points and for time, under
 * an agent that looks only when it was rung or a time has come: nothing starts early, contexts keep
 * their order, each submission ends once and signals once, and nobody is forgotten.
 */
class FencesPropertyTest {
  private static final int CONTEXTS = 4;
  private static final int HOSTS = 3;
  private static final int DEPTH = 8;
  private static final int SLOT = 256;
  private static final int STEPS = 300;

  @Property(tries = 200)
  void nothingStartsEarlyAndNobodyIsForgotten(@ForAll long seed) {
    Model model = new Model(seed);
    for (int i = 0; i < STEPS; i++) {
      model.step();
    }
    model.finish();
  }

  /** An agent whose next look was due already would not sleep. */
  @Example
  void theDeadlineOfAWaitThatIsOverIsNoReasonToLook() {
    long[] now = {1};
    Host host = new Host(Ids.of(Ids.HOST_TIMELINE, 1, 0), new HostPoints(() -> now[0], p -> {}));
    PointTimeline timeline =
        new PointTimeline(Ids.of(Ids.TIMELINE, 1, 0), null, FenceOwner.NOBODY, DEPTH);
    ContextQueue queue = new ContextQueue(1, timeline, 0, SLOT, DEPTH);
    queue.describe(1, 64, 1, 0, false);
    queue.setWait(1, 0, host, 1);
    queue.setFences(1, Long.MAX_VALUE, null, 0);
    host.points().deadline(2, 10);
    assertEquals(10, WaitRelease.limit(queue, 1));
    assertEquals(0, host.points().signal(1, 0));
    now[0] = 20;
    assertEquals(Long.MAX_VALUE, WaitRelease.limit(queue, 1));
  }

  private record Wait(FenceSource source, long point) {}

  private record Job(
      int context, long point, List<Wait> waits, long limit, int host, long signal) {}

  /** A tenant's timeline without its face. */
  private record Host(long id, HostPoints points) implements FenceSource {
    @Override
    public FenceOwner owner() {
      return FenceOwner.NOBODY;
    }

    @Override
    public int outcome(long point, long now) {
      return points.outcome(point, now);
    }

    @Override
    public long reached() {
      return points.reached();
    }

    @Override
    public long promised() {
      return points.reached();
    }

    @Override
    public long nextDeadline() {
      return points.nextDeadline();
    }

    @Override
    public void watch(Ringing bell) {
      points.watch(bell);
    }
  }

  private static final class Model implements Ringing {
    private final SplittableRandom random;
    private final DeviceMachine machine =
        new DeviceMachine(CONTEXTS, 4, Schedulers.byPriority(CONTEXTS, 4));
    private final WaitRelease release =
        new WaitRelease(
            Arena.ofAuto().allocate((long) CONTEXTS * DEPTH * SLOT, 8),
            machine,
            new FenceDevice("sim0", 0));
    private final ContextQueue[] queues = new ContextQueue[CONTEXTS];
    private final long[] submitted = new long[CONTEXTS];
    private final long[] started = new long[CONTEXTS];
    private final List<Host> hosts = new ArrayList<>();
    private final long[] promised = new long[HOSTS];
    private final Map<Long, Job> jobs = new HashMap<>();
    private final List<Integer> inFlight = new ArrayList<>();
    private long now = 1;
    private boolean rung;

    Model(long seed) {
      random = new SplittableRandom(seed);
      for (int c = 0; c < CONTEXTS; c++) {
        PointTimeline timeline =
            new PointTimeline(Ids.of(Ids.TIMELINE, 1, c), null, FenceOwner.NOBODY, DEPTH);
        queues[c] = new ContextQueue(c + 1, timeline, (long) c * DEPTH * SLOT, SLOT, DEPTH);
        machine.onOpen(c, Schedulers.spec(c % 3), 0, queues[c]);
      }
      for (int h = 0; h < HOSTS; h++) {
        hosts.add(new Host(Ids.of(Ids.HOST_TIMELINE, 1, h), new HostPoints(() -> now, p -> {})));
      }
    }

    @Override
    public void ring() {
      rung = true;
    }

    @Override
    public boolean isGone() {
      return false;
    }

    void step() {
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3, 4 -> submit(random.nextInt(CONTEXTS));
        case 5, 6 -> signal(random.nextInt(HOSTS));
        case 7, 8, 9 -> complete();
        case 10 -> now += random.nextInt(100);
        case 11 -> {
          if (random.nextInt(10) == 0) {
            boolean ignored = hosts.get(random.nextInt(HOSTS)).points().end(Errno.ECLOSED);
          } else if (random.nextInt(4) == 0) {
            Host host = hosts.get(random.nextInt(HOSTS));
            host.points().deadline(host.reached() + 1, now + random.nextInt(200));
          }
        }
        default -> cycle();
      }
    }

    private void submit(int c) {
      if (submitted[c] - queues[c].timeline.recorded() == DEPTH) {
        return;
      }
      long point = ++submitted[c];
      List<Wait> waits = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        int of = random.nextInt(CONTEXTS + HOSTS);
        FenceSource source = of < CONTEXTS ? queues[of].timeline : hosts.get(of - CONTEXTS);
        long most = of < CONTEXTS ? queues[of].timeline.submitted() : source.reached() + 3;
        source.watch(this);
        waits.add(new Wait(source, random.nextLong(most + 1)));
      }
      long limit = random.nextInt(3) == 0 ? now + 1 + random.nextInt(150) : Long.MAX_VALUE;
      int host = random.nextInt(3) == 0 ? random.nextInt(HOSTS) : -1;
      long signal = host < 0 ? 0 : hosts.get(host).reached() + 1 + random.nextInt(3);
      queues[c].describe(point, 64, waits.size(), 0, false);
      for (int i = 0; i < waits.size(); i++) {
        queues[c].setWait(point, i, waits.get(i).source(), waits.get(i).point());
      }
      queues[c].setFences(point, limit, host < 0 ? null : hosts.get(host).points(), signal);
      jobs.put(key(c, point), new Job(c, point, waits, limit, host, signal));
      queues[c].timeline.publish(point);
      ring();
    }

    private void signal(int h) {
      Host host = hosts.get(h);
      long before = host.reached();
      if (host.points().signal(before + 1 + random.nextInt(2), 0) == 0) {
        promised[h] = host.reached();
      }
    }

    private void complete() {
      if (!inFlight.isEmpty()) {
        int index = inFlight.remove(random.nextInt(inFlight.size()));
        int code = random.nextInt(4) == 0 ? -Errno.EIO : 0;
        long tag = machine.inFlight().tag(index);
        assertEquals(
            0,
            machine
                .departures()
                .onComplete(tag, code, CompletionCodes.outcome(code), now, now, 0, 0, now));
        ring();
      }
    }

    /** As an agent that sleeps until it is rung or a wait's time has come. */
    private void cycle() {
      if (!rung && (release.next() == Long.MAX_VALUE || now < release.next())) {
        return;
      }
      rung = false;
      machine.at(now);
      for (int c = 0; c < CONTEXTS; c++) {
        int ignored = machine.onSubmit(c, queues[c].timeline.submitted());
      }
      boolean work = release.run(now) > 0;
      for (int index = machine.next(now); index >= 0; index = machine.next(now)) {
        start(index);
        work = true;
      }
      publish();
      rung |= work;
      if (!work) {
        assertTrue(release.next() > now, "it would not sleep");
      }
    }

    private void start(int index) {
      int c = machine.inFlight().context(index);
      long point = machine.inFlight().point(index);
      assertTrue(point > started[c], "out of order");
      started[c] = point;
      for (Wait wait : jobs.get(key(c, point)).waits()) {
        assertEquals(0, wait.source().outcome(wait.point(), now), "started early");
      }
      inFlight.add(index);
    }

    private void publish() {
      long[] before = new long[CONTEXTS];
      for (int c = 0; c < CONTEXTS; c++) {
        before[c] = queues[c].timeline.recorded();
      }
      int left = new Publisher(machine.endings()).run();
      assertEquals(0, left);
      for (int c = 0; c < CONTEXTS; c++) {
        for (long p = before[c] + 1; p <= queues[c].timeline.recorded(); p++) {
          end(jobs.remove(key(c, p)), queues[c].timeline.status(p));
        }
      }
      for (int h = 0; h < HOSTS; h++) {
        assertTrue(hosts.get(h).reached() <= promised[h], "signalled by nobody");
      }
    }

    private void end(Job job, int code) {
      assertTrue(job != null, "ended twice");
      boolean ran = started[job.context()] >= job.point() && (code == 0 || code == -Errno.EIO);
      if (!ran) {
        assertTrue(code == -Errno.ETIMEDOUT || code == -Errno.ECLOSED, () -> "ended with " + code);
        assertFalse(job.waits().isEmpty());
        if (code == -Errno.ETIMEDOUT) {
          boolean late = job.limit() <= now;
          boolean over =
              job.waits().stream()
                  .anyMatch(w -> w.source().outcome(w.point(), now) == -Errno.ETIMEDOUT);
          assertTrue(late || over, "timed out too early");
        }
      }
      if (job.host() >= 0) {
        HostPoints points = hosts.get(job.host()).points();
        // its end has signalled it, or it was over or passed by then
        assertTrue(points.reached() >= job.signal() || points.ended() != 0, "not signalled");
        promised[job.host()] = Math.max(promised[job.host()], job.signal());
      }
    }

    /** All is signalled and completed: without anything else, everything ends. */
    void finish() {
      for (int h = 0; h < HOSTS; h++) {
        int ignored = hosts.get(h).points().signal(1_000_000, 0);
        promised[h] = hosts.get(h).reached();
      }
      for (int i = 0; i < 10_000 && !jobs.isEmpty(); i++) {
        cycle();
        complete();
      }
      assertEquals(Map.of(), jobs, "forgotten");
    }

    private static long key(int c, long point) {
      return point * CONTEXTS + c;
    }
  }
}
