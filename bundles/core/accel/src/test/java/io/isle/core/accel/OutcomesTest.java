package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo.Preemption;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.settings.AccelLimits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each outcome of AccelCompletionStatus, as tenants see it. */
@Timeout(60)
class OutcomesTest {
  private final Fixture fixture = new Fixture(new AccelLimits(64, 5000, 600_000, 10_000, 10));

  @AfterEach
  void close() {
    fixture.close();
  }

  private Context context() {
    return fixture.context(ContextSpec.named("test").withMaxExecutionUs(1000));
  }

  private ScriptedDevice.Submission running() throws InterruptedException {
    return fixture.device.awaitRunning(1).get(0);
  }

  /** What future and poll say, which is the same. */
  private static Completion told(Context context, CompletableFuture<Completion> future)
      throws Exception {
    Completion completion = future.get();
    assertEquals(completion.status(), context.status(completion.point()));
    assertEquals(completion.outcome(), context.outcome(completion.point()));
    return completion;
  }

  private static void assertTold(Completion completion, CompletionStatus outcome, int status) {
    assertEquals(outcome, completion.outcome());
    assertEquals(status, completion.status());
  }

  /** How a submission ends that the device ends so. */
  private Completion ended(int status, int detail) throws Exception {
    Context context = fixture.context();
    var future = context.submitAsync(context.writer());
    assertNull(context.outcome(1), "it has not ended");
    assertEquals(0, fixture.device.complete(running(), status, detail));
    Completion completion = told(context, future);
    context.close();
    return completion;
  }

  @ParameterizedTest
  @EnumSource
  void whatTheDeviceSays(CompletionStatus says) throws Exception {
    int detail =
        switch (says) {
          case SUCCESS, ERROR, PREEMPTED -> 0;
          case TIMEOUT -> -Errno.ETIMEDOUT;
          case PARTIAL_ERROR -> 3;
        };
    int status =
        switch (says) {
          case SUCCESS -> 0;
          case ERROR, PARTIAL_ERROR -> -Errno.EIO;
          case TIMEOUT -> -Errno.ETIMEDOUT;
          case PREEMPTED -> -Errno.EINTR;
        };
    Completion completion = ended(says.code(), detail);
    assertTold(completion, says, status);
    assertEquals(detail, completion.detail());
  }

  private Completion overItsLimit(Preemption granularity, int preempted) throws Exception {
    fixture.device.granularity = granularity;
    fixture.device.preempted = preempted;
    fixture.crash();
    fixture.device = next(fixture.device);
    var ignored = fixture.recover(fixture.device);
    Context context = context();
    var future = context.submitAsync(context.writer());
    fixture.device.awaitPreempt();
    // one that cannot be stopped comes to its end by itself
    if (!future.isDone() && !fixture.device.running.isEmpty()) {
      assertEquals(0, fixture.device.complete(running(), CompletionSink.SUCCESS));
    }
    Completion completion = told(context, future);
    context.close();
    return completion;
  }

  private ScriptedDevice next(ScriptedDevice before) {
    ScriptedDevice device = new ScriptedDevice(fixture.attachment.completions());
    device.granularity = before.granularity;
    device.preempted = before.preempted;
    return device;
  }

  @ParameterizedTest
  @EnumSource
  void workOverItsLimitEndsAsItsDeviceCanStopIt(Preemption granularity) throws Exception {
    switch (granularity) {
      case INSTRUCTION, DRAW_DISPATCH ->
          assertTold(
              overItsLimit(granularity, CompletionSink.PREEMPTED),
              CompletionStatus.PREEMPTED,
              -Errno.ETIMEDOUT);
      case COMMAND_BUFFER, NONE -> {
        assertTold(
            overItsLimit(granularity, CompletionSink.TIMEOUT),
            CompletionStatus.TIMEOUT,
            -Errno.ETIMEDOUT);
        assertTold(overItsLimit(granularity, -1), CompletionStatus.TIMEOUT, -Errno.ETIMEDOUT);
      }
    }
  }

  @Test
  void workThatLeavesForAnAdministratorEndsWithError() throws Exception {
    fixture.device.preempted = CompletionSink.PREEMPTED;
    fixture.device.begun = 1;
    Context context = fixture.context();
    var future = context.submitAsync(context.writer());
    running();
    assertFalse(fixture.attachment.pause(Duration.ZERO));
    assertTold(told(context, future), CompletionStatus.ERROR, -Errno.EINTR);
    fixture.attachment.unpause();
    future = context.submitAsync(context.writer());
    assertEquals(0, fixture.device.complete(running(), CompletionSink.PREEMPTED));
    assertTold(told(context, future), CompletionStatus.PREEMPTED, -Errno.EINTR);
  }

  @Test
  void workThatEndsWithItsDeviceOrContextEndsWithError() throws Exception {
    Context context = fixture.context();
    var future = context.submitAsync(context.writer());
    running();
    fixture.crash();
    assertTold(told(context, future), CompletionStatus.ERROR, -Errno.EINTR);
    var ignored = fixture.recover();
    fixture.device.room = 0;
    future = context.submitAsync(context.writer());
    context.close();
    assertTold(told(context, future), CompletionStatus.ERROR, -Errno.ECLOSED);
  }

  @Test
  void workThatTheDeviceRefusesEndsWithError() throws Exception {
    Context context = fixture.context();
    fixture.device.refusal = -Errno.ENOMEM;
    assertTold(
        told(context, context.submitAsync(context.writer())),
        CompletionStatus.ERROR,
        -Errno.ENOMEM);
    fixture.device.refusal = Integer.MIN_VALUE;
    assertTold(
        told(context, context.submitAsync(context.writer())), CompletionStatus.ERROR, -Errno.EIO);
  }

  @Test
  void whatIsNotKnownHasNoOutcome() {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context(ContextSpec.named("small").withQueue(2, 256));
    assertNull(context.outcome(0));
    assertNull(context.outcome(1));
    for (int i = 1; i <= 9; i++) {
      assertEquals(0, context.await(context.submit(context.writer()), -1));
    }
    assertEquals(-Errno.ESTALE, context.status(1));
    assertNull(context.outcome(1));
    assertEquals(CompletionStatus.SUCCESS, context.outcome(2));
  }

  @Test
  void onlyKeptProgressIsResumable() {
    assertTrue(CompletionCodes.isResumable(CompletionSink.PREEMPTED, -Errno.ERESTART));
    assertFalse(CompletionCodes.isResumable(CompletionSink.PREEMPTED, 0));
    assertFalse(CompletionCodes.isResumable(CompletionSink.PREEMPTED, -Errno.EAGAIN));
    assertFalse(CompletionCodes.isResumable(CompletionSink.ERROR, -Errno.ERESTART));
  }
}
