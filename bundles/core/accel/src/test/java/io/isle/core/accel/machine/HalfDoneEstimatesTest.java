package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.accel.estimate.SubmissionFeatures;
import io.isle.core.accel.estimate.SubmissionTime;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.testing.FakeDeciders;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that was answered and leaves the device half done. */
class HalfDoneEstimatesTest {
  private static final int DEPTH = 4;
  private static final long US = 1_000;

  private final DeviceMachine machine = new DeviceMachine(1, 2, Schedulers.byPriority(1, 2));
  private final ContextQueue queue =
      new ContextQueue(1, Schedulers.timeline(1, DEPTH), 0, 256, DEPTH);
  private final SubmissionTime time = new SubmissionTime();

  /** 2^20 ns. */
  private final FakeDeciders deciders = new FakeDeciders((features, out) -> out[0] = 320);

  private FakeDeciders.Opened decider;

  @BeforeEach
  void open() {
    machine.onOpen(0, Schedulers.spec(1), 0, queue);
    time.join("any", queue.estimates);
    time.bind(deciders);
    decider = deciders.opened.getFirst();
  }

  private int start(long now) {
    int index = machine.next(now);
    assertTrue(index >= 0);
    return index;
  }

  private void submit(long point) {
    queue.estimates.ask(point, new int[SubmissionFeatures.COUNT]);
    queue.describe(point, 64, 0, 0, false);
    machine.onSubmit(0, point);
  }

  private void complete(int index, int code, long busyNs, long now) {
    assertEquals(
        0,
        machine
            .departures()
            .onComplete(
                machine.inFlight().tag(index),
                code,
                CompletionCodes.outcome(code),
                now - busyNs,
                now,
                busyNs,
                0,
                now));
  }

  private long charge() {
    return queue.estimates.read().estimateNs();
  }

  @Test
  void whatIsLeftIsChargedAndTheOutcomeIsOfAllStretches() {
    submit(1);
    int index = start(0);
    assertEquals(1 << 20, charge());
    machine.departures().onPreempted(index, 0, 300 * US, 300 * US, 300 * US);
    assertTrue(decider.outcomes.isEmpty());
    index = start(400 * US);
    assertEquals((1 << 20) - 300 * US, charge());
    machine.departures().onPreempted(index, 400 * US, 600 * US, 200 * US, 600 * US);
    index = start(700 * US);
    assertEquals((1 << 20) - 500 * US, charge());
    complete(index, 0, 524 * US, 1300 * US);
    assertEquals(List.of(SubmissionFeatures.time(1024 * US)), decider.outcomes.getFirst().actual());
    assertEquals(1, decider.outcomes.size());
  }

  @Test
  void moreThanWasAnsweredLeavesAMicrosecond() {
    submit(1);
    int index = start(0);
    machine.departures().onPreempted(index, 0, 2000 * US, 2000 * US, 2000 * US);
    int ignored = start(2000 * US);
    assertEquals(US, charge());
  }

  @Test
  void theNextOneIsChargedInFull() {
    submit(1);
    submit(2);
    int index = start(0);
    machine.departures().onPreempted(index, 0, 300 * US, 300 * US, 300 * US);
    index = start(400 * US);
    complete(index, 0, 700 * US, 1100 * US);
    int ignored = start(1200 * US);
    assertEquals(1 << 20, charge());
  }

  @Test
  void whatFailsAfterAStretchIsNoOutcome() {
    submit(1);
    int index = start(0);
    machine.departures().onPreempted(index, 0, 300 * US, 300 * US, 300 * US);
    index = start(400 * US);
    complete(index, -5, 100 * US, 500 * US);
    assertTrue(decider.outcomes.isEmpty());
    assertEquals(0, queue.estimates.read().ended());
  }
}
