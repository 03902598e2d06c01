package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.base.Ids;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupTree;
import io.isle.core.accel.LogCapture;
import io.isle.core.accel.group.Trees;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.Schedulers;
import io.isle.core.accel.machine.SchedulingSpec;
import io.isle.core.accel.machine.StartTimes;
import io.isle.core.accel.machine.Watchdog;
import io.isle.core.accel.queue.ContextQueue;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work over its limit on a device that cannot stop it, under simulated time. */
class OverrunsTest {
  private static final long MS = 1_000_000;
  private static final long LIMIT = MS;

  private final DeviceScheduler scheduler = Schedulers.byPriority(2, 2);
  private final DeviceMachine machine = new DeviceMachine(2, 2, scheduler);
  private final Watchdog watchdog = new Watchdog(2, machine.inFlight(), new StartTimes(2));
  private final Overruns overruns =
      new Overruns("sim0", machine, scheduler, watchdog, Runnable::run);
  private final LogCapture log = new LogCapture(Overruns.class);
  private long now = 5 * MS;

  @AfterEach
  void close() {
    log.close();
  }

  /** A context that has four submissions. */
  private ContextQueue open(int c, SchedulingSpec spec) {
    ContextQueue queue =
        new ContextQueue(Ids.of(Ids.CONTEXT, 1, c), Schedulers.timeline(c, 8), 0, 256, 8);
    machine.at(now);
    machine.onOpen(c, spec, 0, queue);
    watchdog.onOpen(c, LIMIT);
    for (int point = 1; point <= 4; point++) {
      queue.describe(point, 64, 0, 0, false);
    }
    machine.onSubmit(c, 4);
    return queue;
  }

  /** The next submission runs for so long; returns whose it was, -1 if none may start. */
  private int run(long ranNs) {
    machine.at(now);
    machine.endDelays(now);
    int index = machine.next(now);
    if (index < 0) {
      return -1;
    }
    int c = machine.inFlight().context(index);
    watchdog.onDispatch(index, now, machine.departures().ranNs(index));
    long start = now;
    now += ranNs;
    machine.at(now);
    overruns.onEnd(index, ranNs, now);
    long tag = machine.inFlight().tag(index);
    assertEquals(
        0,
        machine
            .departures()
            .onComplete(tag, 0, CompletionStatus.SUCCESS, start, now, ranNs, 0, now));
    return c;
  }

  /** How long the context starts nothing. */
  private long pause(int c) {
    long begun = now;
    assertEquals(-1, run(MS), "it rests");
    now = machine.nextDelayEnd() - 1;
    assertEquals(-1, run(MS), "until the end of its pause");
    now++;
    assertEquals(c, run(LIMIT));
    return now - LIMIT - begun;
  }

  @Test
  void itIsLoggedCountedChargedAndPaidBack() {
    ContextQueue queue = open(0, Schedulers.spec(1));
    assertEquals(0, run(4 * MS));
    assertEquals(
        List.of(
            "sim0: context "
                + Ids.text(queue.contextId)
                + " ran 3000 us beyond its limit, because the device cannot preempt work; the"
                + " next work of the context starts 3000 us later"),
        log.lines());
    assertEquals(1, queue.log.overruns());
    assertEquals(4 * MS, scheduler.core().readings().givenNs(0));
    assertEquals(4 * MS, queue.log.givenNs());
    assertEquals(3 * MS, pause(0));
    assertEquals(1, queue.log.overruns(), "what is within its limit is none");
    assertEquals(1, log.lines().size());
    assertEquals(0, run(LIMIT), "and it goes on");
  }

  @Test
  void othersDoNotPayForIt() {
    open(0, Schedulers.spec(2));
    open(1, Schedulers.spec(0));
    assertEquals(0, run(4 * MS));
    for (int i = 0; i < 3; i++) {
      assertEquals(1, run(LIMIT));
    }
    assertEquals(0, run(LIMIT), "the higher priority again");
  }

  @Test
  void noMoreThanAPeriodIsPaidBack() {
    open(0, new SchedulingSpec(GroupTree.ROOT, Priority.NORMAL, 1_000, 10_000));
    assertEquals(0, run(60 * MS));
    assertEquals(10 * MS, pause(0));
    assertTrue(log.lines().getFirst().endsWith("starts 10000 us later"), log.lines()::toString);
  }

  @Test
  void thePeriodIsThatOfItsGroup() {
    scheduler.apply(Trees.accel(Trees.group("a", "compute.guarantee", "sim0 1000 5000")));
    open(0, new SchedulingSpec("a", Priority.NORMAL, 0, 0));
    assertEquals(0, run(60 * MS));
    assertEquals(5 * MS, pause(0));
  }
}
