package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.core.accel.machine.Watchdog.Step;
import org.junit.jupiter.api.Test;

/** The watchdog under simulated time. */
class WatchdogTest {
  private static final long LIMIT = 1000;
  private static final long GRACE = 100;
  private static final int SHORT = 0;
  private static final int LONG = 1;
  private static final int NONE = 2;

  private final InFlightTable inFlight = new InFlightTable(3, 4);
  private final StartTimes starts = new StartTimes(4);
  private final Watchdog watchdog = new Watchdog(3, inFlight, starts);

  WatchdogTest() {
    watchdog.onOpen(SHORT, LIMIT);
    watchdog.onOpen(LONG, 10 * LIMIT);
    watchdog.onOpen(NONE, 0);
  }

  private int dispatch(int c, long now) {
    int index = inFlight.add(c, 1, false);
    watchdog.onDispatch(index, now, 0);
    return index;
  }

  private void start(int index, long ns) {
    starts.started(inFlight.tag(index), ns);
  }

  @Test
  void stepsFollowEachOtherByTheGrace() {
    int index = dispatch(SHORT, 50);
    start(index, 60);
    assertEquals(50 + LIMIT, watchdog.nextScan());
    assertEquals(0, watchdog.scan(59 + LIMIT, GRACE));
    assertEquals(60 + LIMIT, watchdog.nextScan());
    long now = 60 + LIMIT;
    for (Step step :
        new Step[] {Step.PREEMPT, Step.RESET_CONTEXT, Step.RESET_DEVICE, Step.GIVE_UP}) {
      assertEquals(1, watchdog.scan(now, GRACE));
      assertEquals(index, watchdog.due(0));
      assertEquals(step, watchdog.step(index));
      assertEquals(0, watchdog.scan(now + GRACE - 1, GRACE));
      now += GRACE;
    }
    assertEquals(0, watchdog.scan(now, GRACE), "nothing is left to do");
  }

  @Test
  void whatHasEndedIsNotDue() {
    int index = dispatch(SHORT, 0);
    start(index, 0);
    inFlight.remove(index);
    assertEquals(0, watchdog.scan(LIMIT, GRACE));
    assertEquals(Long.MAX_VALUE, watchdog.nextScan());
    int again = dispatch(SHORT, LIMIT);
    assertEquals(index, again, "the same index, another tag");
    assertEquals(0, watchdog.scan(2 * LIMIT - 1, GRACE));
    assertEquals(1, watchdog.scan(2 * LIMIT, GRACE));
    assertEquals(Step.PREEMPT, watchdog.step(again));
  }

  /** Next to nothing is left of its limit, and it has not gone on yet. */
  @Test
  void whatWaitsToGoOnIsNotLookedAtAllTheTime() {
    int running = dispatch(NONE, 0);
    start(running, 0);
    int waiting = inFlight.add(SHORT, 1, false);
    watchdog.onDispatch(waiting, 5, LIMIT - 1);
    assertEquals(5 + LIMIT, watchdog.nextScan());
    assertEquals(0, watchdog.scan(5 + LIMIT, GRACE));
    assertEquals(5 + 2 * LIMIT, watchdog.nextScan());
    start(waiting, 10 + LIMIT);
    assertEquals(1, watchdog.scan(5 + 2 * LIMIT, GRACE));
    assertEquals(waiting, watchdog.due(0));
  }

  @Test
  void whoWaitsBehindOthersIsNotBlamed() {
    int running = dispatch(LONG, 0);
    int waiting = dispatch(SHORT, 1);
    start(running, 5);
    assertEquals(0, watchdog.scan(10 * LIMIT + 4, GRACE));
    assertEquals(1, watchdog.scan(10 * LIMIT + 5, GRACE));
    assertEquals(running, watchdog.due(0));
    assertEquals(Step.NONE, watchdog.step(waiting));
  }

  @Test
  void aStartThatIsYetToComeHoldsUpNoLimit() {
    int index = dispatch(SHORT, 0);
    start(index, Long.MAX_VALUE);
    assertEquals(0, watchdog.scan(LIMIT - 1, GRACE));
    assertEquals(1, watchdog.scan(LIMIT, GRACE));
    assertEquals(index, watchdog.due(0));
  }

  @Test
  void withoutStartsTheOldestCountsFromTheLastCompletion() {
    int first = dispatch(SHORT, 0);
    int second = dispatch(SHORT, 10);
    watchdog.onCompletion(500);
    assertEquals(0, watchdog.scan(499 + LIMIT, GRACE));
    inFlight.remove(first);
    watchdog.onCompletion(500 + LIMIT);
    assertEquals(0, watchdog.scan(500 + LIMIT, GRACE));
    assertEquals(1, watchdog.scan(500 + 2 * LIMIT, GRACE));
    assertEquals(second, watchdog.due(0));
  }

  @Test
  void whatIsPostponedIsDueAgainAfterTheGrace() {
    int index = dispatch(SHORT, 0);
    assertEquals(1, watchdog.scan(LIMIT, GRACE));
    assertEquals(1, watchdog.scan(LIMIT + GRACE, GRACE));
    watchdog.postpone(index);
    assertEquals(0, watchdog.scan(LIMIT + 2 * GRACE - 1, GRACE));
    assertEquals(1, watchdog.scan(LIMIT + 2 * GRACE, GRACE));
    assertEquals(Step.RESET_CONTEXT, watchdog.step(index));
  }

  @Test
  void aContextWithoutLimitMayRunForever() {
    int index = dispatch(NONE, 0);
    start(index, 0);
    assertEquals(Long.MAX_VALUE, watchdog.nextScan());
    assertEquals(0, watchdog.scan(Long.MAX_VALUE / 2, GRACE));
  }

  @Test
  void aStartCountsOnceAndNotBeforeTheDispatch() {
    int index = dispatch(SHORT, 100);
    start(index, -5000);
    start(index, 5000);
    starts.started(-1, 1);
    starts.started(4, 1);
    assertEquals(0, watchdog.scan(99 + LIMIT, GRACE));
    assertEquals(1, watchdog.scan(100 + LIMIT, GRACE));
  }
}
