package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.settings.AccelLimits;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits on the engine and failures that concern one context. */
@Timeout(60)
class PartialFailureTest {
  private static final ContextSpec BRIEF = ContextSpec.named("brief").withMaxExecutionUs(1000);

  private final Fixture fixture = new Fixture(new AccelLimits(64, 5000, 20, 10_000, 10));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aPreemptedSubmissionEndsWithTimeoutAndTheContextGoesOn() throws Exception {
    fixture.device.preempted = CompletionSink.PREEMPTED;
    Context context = fixture.context(BRIEF);
    assertEquals(-Errno.ETIMEDOUT, context.await(context.submit(context.writer()), -1));
    fixture.device.preempted = CompletionSink.TIMEOUT;
    assertEquals(-Errno.ETIMEDOUT, context.await(context.submit(context.writer()), -1));
    assertEquals(0, fixture.device.resets.size());
    fixture.device.completeAtOnce = true;
    assertEquals(0, context.await(context.submit(context.writer()), -1));
  }

  @Test
  void workThatFinishesWhileItIsStoppedHasSucceeded() {
    fixture.device.preempted = CompletionSink.SUCCESS;
    Context context = fixture.context(BRIEF);
    assertEquals(0, context.await(context.submit(context.writer()), -1));
  }

  @Test
  void overdueWorkOfADeviceWithoutPreemptionFailsAtItsEnd() throws Exception {
    Fixture patient = new Fixture(new AccelLimits(64, 5000, 600_000, 10_000, 10));
    Context context = patient.context(BRIEF);
    long overdue = context.submit(context.writer());
    var running = patient.device.awaitRunning(1).get(0);
    patient.device.awaitPreempt();
    patient.device.complete(running, CompletionSink.SUCCESS);
    assertEquals(-Errno.ETIMEDOUT, context.await(overdue, -1));
    patient.close();
  }

  @Test
  void aContextThatStaysIsResetAlone() throws Exception {
    Fixture patient = new Fixture(new AccelLimits(64, 5000, 500, 10_000, 10));
    Context other = patient.context();
    long untouched = other.submit(other.writer());
    Context context = patient.context(BRIEF);
    var theirs = patient.device.awaitRunning(1).get(0);
    long over = context.submit(context.writer());
    patient.attachment.started(patient.device.awaitRunning(2).get(1).tag(), System.nanoTime());
    assertEquals(-Errno.ETIMEDOUT, context.await(over, -1));
    assertEquals(java.util.List.of(context.id()), patient.device.resets);
    assertEquals(-Errno.EINPROGRESS, other.status(untouched));
    patient.device.complete(theirs, CompletionSink.SUCCESS);
    assertEquals(0, other.await(untouched, -1));
    patient.device.completeAtOnce = true;
    assertEquals(0, context.await(context.submit(context.writer()), -1));
    patient.close();
  }

  @Test
  void aDeviceThatStaysIsResetThenGivenUp() throws Exception {
    fixture.device.resetsWork = 1;
    Context context = fixture.context(BRIEF);
    assertEquals(-Errno.ETIMEDOUT, context.await(context.submit(context.writer()), -1));
    assertEquals(-1, fixture.device.resets.get(1), "the whole device");
    fixture.device.resetsWork = -1;
    long stuck = context.submit(context.writer());
    assertEquals(RecoveryCause.Kind.TIMEOUT, fixture.failures.take().kind());
    assertEquals(-Errno.ETIMEDOUT, context.await(stuck, -1));
  }

  @Test
  void whileTheDeviceIsResetWorkWaits() throws Exception {
    Fixture patient = new Fixture(new AccelLimits(64, 5000, 500, 10_000, 10));
    patient.device.resetsWork = 1;
    Context other = patient.context();
    Context context = patient.context(BRIEF);
    AtomicLong innocent = new AtomicLong();
    patient.device.inReset =
        () -> {
          innocent.set(other.submit(other.writer()));
          // after the second the agent has made a whole cycle
          patient.attachment.unpause();
          patient.attachment.unpause();
        };
    assertEquals(-Errno.ETIMEDOUT, context.await(context.submit(context.writer()), -1));
    var running = patient.device.awaitRunning(1).get(0);
    int ignored = patient.device.complete(running, CompletionSink.SUCCESS);
    assertEquals(0, other.await(innocent.get(), -1));
    patient.close();
  }

  @Test
  void anErrorOfAContextResetsItAndHoldsItsWork() throws Exception {
    Context other = fixture.context();
    Context context = fixture.context();
    long theirs = other.submit(other.writer());
    fixture.device.awaitRunning(1);
    long bad = context.submit(context.writer());
    var running = fixture.device.awaitRunning(2);
    long alsoInFlight = context.submit(context.writer());
    fixture.device.awaitRunning(3);
    fixture.device.room = 0;
    long pending = context.submit(context.writer());
    fixture.device.complete(running.get(1), CompletionSink.ERROR, -Errno.EIO);
    assertEquals(-Errno.EIO, context.await(bad, -1));
    assertEquals(-Errno.EINTR, context.await(alsoInFlight, -1));
    assertEquals(java.util.List.of(context.id()), fixture.device.resets);
    fixture.device.room = 10;
    fixture.device.complete(fixture.device.awaitRunning(2).get(1), CompletionSink.SUCCESS);
    assertEquals(0, context.await(pending, -1));
    assertEquals(-Errno.EINPROGRESS, other.status(theirs));
  }

  @Test
  void aBadPageCostsItsContentsOnly() throws Exception {
    fixture.crash();
    fixture.recoverWithRetirement();
    Context context = fixture.context();
    Buffer buffer = context.allocate(10_000, 0);
    Buffer retained = context.allocate(4096, Buffer.RETAINED);
    try (Mapping mapping = retained.map()) {
      mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 5);
      mapping.flush(0, 8);
    }
    long bad = read(context, buffer, 0, 10_000);
    var running = fixture.device.awaitRunning(1).get(0);
    fixture.device.room = 0;
    long pending = read(context, buffer, 4096, 1);
    fixture.device.faulty.add(new PageRetirement.Range(buffer.id(), 4096, 4096));
    fixture.device.faulty.add(new PageRetirement.Range(retained.id(), 0, 4096));
    fixture.device.complete(running, CompletionSink.ERROR, -Errno.EHWPOISON);
    assertEquals(-Errno.EIO, context.await(bad, -1));
    assertEquals(-Errno.ENODATA, context.await(pending, -1));
    assertTrue(fixture.device.faulty.isEmpty());
    fixture.device.room = 10;
    fixture.device.completeAtOnce = true;
    assertEquals(-Errno.ENODATA, read(context, buffer, 8191, 100));
    assertEquals(0, context.await(read(context, buffer, 0, 4096), -1));
    assertEquals(0, context.await(read(context, buffer, 8192, 1000), -1));
    assertEquals(0, context.await(read(context, retained, 0, 4096), -1));
    try (Mapping mapping = retained.map()) {
      assertEquals(5, mapping.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }
  }

  @Test
  void performanceLevelsNeedTheRight() {
    var plain = fixture.capabilities.grant("p", Set.of(Permission.ACCEL_COMPUTE), 0);
    assertThrows(
        TenancyException.class, () -> fixture.accelerator().setPerformanceLevel(plain, "low"));
    AccelException e =
        assertThrows(
            AccelException.class,
            () -> fixture.accelerator().setPerformanceLevel(fixture.all, "max"));
    assertEquals(Errno.EINVAL, e.code());
    fixture.accelerator().setPerformanceLevel(fixture.all, "low");
    assertEquals(PerformanceLevel.LOW, fixture.device.power().performanceLevel());
  }

  private static long read(Context context, Buffer buffer, long offset, long length) {
    CommandWriter writer = context.writer();
    int ignored = writer.use(buffer, offset, length, Buffer.READ);
    return context.submit(writer);
  }
}
