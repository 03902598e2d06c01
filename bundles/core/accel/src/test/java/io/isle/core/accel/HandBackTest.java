package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.testing.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that a device gives back, although nothing is wrong with it. */
@Timeout(60)
class HandBackTest {
  private final Fixture fixture = new Fixture(new AccelLimits(64, 5000, 20, 10_000, 10));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void workThatHasNotBegunStartsAgainInItsTurn() throws Exception {
    Context context = fixture.context();
    List<Long> points = submit(context, 3);
    var running = fixture.device.awaitRunning(3);
    fixture.device.handBack(running.get(2));
    fixture.device.handBack(running.get(1));
    points.addAll(submit(context, 1));
    int ignored = fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    var again = fixture.device.awaitRunning(3);
    for (int i = 0; i < 3; i++) {
      assertEquals(offset(running, i + 1), again.get(i).offset() - running.get(0).offset());
      ignored = fixture.device.complete(again.get(i), CompletionSink.SUCCESS);
    }
    for (long point : points) {
      assertEquals(0, context.await(point, -1));
    }
    assertEquals(4, context.info().completed());
  }

  private static long offset(List<ScriptedDevice.Submission> running, int slot) {
    return slot * (running.get(1).offset() - running.get(0).offset());
  }

  @Test
  void workThatHasBegunIsInterruptedUnlessItIsReplayable() throws Exception {
    Context context = fixture.context();
    long plain = context.submit(context.writer());
    var running = fixture.device.awaitRunning(1).get(0);
    int ignored = fixture.device.complete(running, CompletionSink.PREEMPTED);
    assertEquals(-Errno.EINTR, context.await(plain, -1));
    long replayable = context.submit(context.writer().replayable());
    running = fixture.device.awaitRunning(1).get(0);
    ignored = fixture.device.complete(running, CompletionSink.PREEMPTED);
    ignored =
        fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(replayable, -1));
    replayable = context.submit(context.writer().replayable());
    for (int i = 0; i < 2; i++) {
      running = fixture.device.awaitRunning(1).get(0);
      ignored = fixture.device.complete(running, CompletionSink.PREEMPTED);
    }
    assertEquals(-Errno.EINTR, context.await(replayable, -1));
  }

  /** The watchdog means another submission of the context, which has ended meanwhile. */
  @Test
  void workThatLeavesForAnothersLimitDoesNotEndWithTimeout() throws Exception {
    Context context = fixture.context();
    long innocent = context.submit(context.writer().replayable());
    var running = fixture.device.awaitRunning(1).get(0);
    int ignored = fixture.device.complete(running, CompletionSink.PREEMPTED, -Errno.ETIMEDOUT);
    ignored =
        fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(innocent, -1));
  }

  /** What a driver keeps of work that it then refuses must not meet what comes after it. */
  @Test
  void aContextWhoseHalfDoneWorkIsRefusedIsReset() throws Exception {
    Context context = fixture.context();
    fixture.device.refusal = -Errno.ENOMEM;
    long fresh = context.submit(context.writer());
    assertEquals(-Errno.ENOMEM, context.await(fresh, -1));
    fixture.device.refusal = 0;
    long half = context.submit(context.writer());
    var running = fixture.device.awaitRunning(1).get(0);
    fixture.device.refusal = -Errno.ENOMEM;
    int ignored = fixture.device.complete(running, CompletionSink.PREEMPTED, -Errno.ERESTART);
    assertEquals(-Errno.ENOMEM, context.await(half, -1));
    assertTrue(Until.holds(() -> !fixture.device.resets.isEmpty()));
    fixture.device.refusal = 0;
    long next = context.submit(context.writer());
    ignored =
        fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(next, -1));
    assertEquals(List.of(running.context()), fixture.device.resets, "and not for the first one");
  }

  @Test
  void aDrainWithoutTimeKeepsWhatHasNotBegun() throws Exception {
    fixture.device.preempted = CompletionSink.PREEMPTED;
    fixture.device.begun = 1;
    Context context = fixture.context();
    Context other = fixture.context();
    List<Long> points = submit(context, 3);
    fixture.device.awaitRunning(3);
    points.addAll(submit(other, 2));
    fixture.device.awaitRunning(5);
    assertFalse(fixture.attachment.pause(Duration.ZERO));
    assertEquals(List.of(), fixture.device.resets);
    assertEquals(-Errno.EINTR, context.await(points.get(0), -1));
    assertEquals(-Errno.EINTR, other.await(points.get(3), -1));
    assertEquals(List.of(), fixture.device.running);
    fixture.replace();
    assertEquals(3, fixture.recover().kept());
    fixture.attachment.unpause();
    for (var submission : fixture.device.awaitRunning(3)) {
      int ignored = fixture.device.complete(submission, CompletionSink.SUCCESS);
    }
    assertEquals(0, context.await(points.get(1), -1));
    assertEquals(0, context.await(points.get(2), -1));
    assertEquals(0, other.await(points.get(4), -1));
  }

  @Test
  void whatCameBackEndsWithItsDeviceOrItsContext() throws Exception {
    Context lost = fixture.context();
    Context kept = fixture.context(ContextSpec.named("kept").withKeepPending(true));
    Context closed = fixture.context();
    long lostPoint = lost.submit(lost.writer());
    long keptPoint = kept.submit(kept.writer());
    long closedPoint = closed.submit(closed.writer());
    var running = fixture.device.awaitRunning(3);
    // nothing that comes back starts again meanwhile
    fixture.device.room = 0;
    running.forEach(fixture.device::handBack);
    closed.close();
    assertEquals(-Errno.ECLOSED, closed.status(closedPoint));
    fixture.crash();
    assertEquals(-Errno.EINTR, lost.await(lostPoint, -1));
    assertEquals(1, fixture.recover().kept());
    int ignored =
        fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, kept.await(keptPoint, -1));
  }

  private static List<Long> submit(Context context, int count) {
    List<Long> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(context.submit(context.writer()));
    }
    return points;
  }
}
