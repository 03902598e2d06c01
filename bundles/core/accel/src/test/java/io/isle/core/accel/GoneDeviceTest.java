package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.settings.AccelLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver says that its device is gone: the device is opened anew, whatever it said it with. */
@Timeout(60)
class GoneDeviceTest {
  private final Fixture fixture = new Fixture();

  /** The test makes the recovery itself. */
  @BeforeEach
  void listen() {
    fixture.attachment.onFailure(fixture.failures::add);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void recoversAsGone() throws InterruptedException {
    recovers("the driver reports that the device is gone");
  }

  private void recovers(String why) throws InterruptedException {
    RecoveryCause cause = fixture.failures.take();
    assertEquals(RecoveryCause.Kind.CRASH, cause.kind());
    assertEquals(why, cause.text());
    fixture.crash();
    var ignored = fixture.recover();
  }

  @Test
  void aCompletionThatSaysSoCostsItsTenantARetry() throws Exception {
    Context context = fixture.context();
    long first = context.submit(context.writer());
    long second = context.submit(context.writer());
    var running = fixture.device.awaitRunning(2);
    fixture.device.complete(running.get(0), CompletionSink.ERROR, -Errno.ENODEV);
    assertEquals(-Errno.EINTR, context.await(first, -1));
    recoversAsGone();
    assertEquals(-Errno.EINTR, context.await(second, -1));
    assertEquals(0, fixture.device.resets.size(), "nothing was wrong with the context");
    fixture.device.completeAtOnce = true;
    assertEquals(0, context.await(context.submit(context.writer()), -1));
  }

  @Test
  void whatCanStartAgainDoes() throws Exception {
    Context context = fixture.context();
    long point = context.submit(context.writer().replayable());
    var running = fixture.device.awaitRunning(1).get(0);
    fixture.device.complete(running, CompletionSink.ERROR, -Errno.ENODEV);
    recoversAsGone();
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(point, -1));
  }

  /** A process answers a submission by its completion, a library by a code: no tenant can tell. */
  @Test
  void aRefusalLeavesWorkPendingInBothForms() throws Exception {
    Context keeps = fixture.context(ContextSpec.named("keeps").withKeepPending(true));
    Context other = fixture.context();
    for (boolean answered : new boolean[] {true, false}) {
      ScriptedDevice device = fixture.device;
      device.refusal = answered ? -Errno.ENODEV : 0;
      long kept = keeps.submit(keeps.writer());
      if (!answered) {
        var running = device.awaitRunning(1).get(0);
        device.complete(running, CompletionSink.PREEMPTED, -Errno.ENODEV);
      }
      RecoveryCause cause = fixture.failures.take();
      assertEquals(RecoveryCause.Kind.CRASH, cause.kind());
      long ended = other.submit(other.writer());
      fixture.crash();
      assertEquals(-Errno.EINTR, other.await(ended, -1));
      var ignored = fixture.recover();
      fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
      assertEquals(0, keeps.await(kept, -1));
    }
  }

  @Test
  void aControlCallThatSaysSoIsTriedAgainOnTheNextOne() throws Exception {
    Context context = fixture.context();
    fixture.device.thrownInAllocate = new DriverException(Errno.ENODEV, "the cable was pulled");
    AccelException refused = assertThrows(AccelException.class, () -> context.allocate(4096, 0));
    assertEquals(Errno.EINTR, refused.code());
    recovers("allocate: the cable was pulled");
    assertEquals(4096, context.allocate(4096, 0).size());
  }

  @Test
  void aSourceThatCostsTwoDevicesInARowIsNotBuiltAgain() throws Exception {
    Context context = fixture.context();
    ProgramSource source = new ProgramSource.OpenClC("kernel void f() {}");
    for (int i = 0; i < 2; i++) {
      fixture.device.compiler =
          (kind, text, options) -> {
            throw new DriverException(Errno.ENODEV, "the board fell off its bus");
          };
      assertEquals(
          Errno.EINTR, assertThrows(AccelException.class, () -> context.load(source)).code());
      recovers("load program opencl_c of 18 bytes: the board fell off its bus");
    }
    assertEquals(
        Errno.EINVAL, assertThrows(AccelException.class, () -> context.load(source)).code());
  }

  /** Its owner has told why, or is about to. */
  @Test
  void aDeviceThatIsKnownToHaveEndedIsToldOfOnce() throws Exception {
    Context context = fixture.context();
    fixture.device.thrownInAllocate = new DriverException(Errno.ENODEV, "it crashed");
    fixture.device.alive = false;
    AccelException refused = assertThrows(AccelException.class, () -> context.allocate(4096, 0));
    assertEquals(Errno.EINTR, refused.code());
    fixture.device.alive = true;
    fixture.device.thrownInAllocate = new DriverException(Errno.ENODEV, "the cable was pulled");
    assertThrows(AccelException.class, () -> context.allocate(4096, 0));
    recovers("allocate: the cable was pulled");
  }

  @Test
  void whatTheCoreHasStoppedEndsWithItsCode() throws Exception {
    Fixture patient = new Fixture(new AccelLimits(64, 5000, 600_000, 10_000, 10));
    Context context = patient.context(ContextSpec.named("brief").withMaxExecutionUs(1000));
    long over = context.submit(context.writer());
    var running = patient.device.awaitRunning(1).get(0);
    patient.device.awaitPreempt();
    patient.device.complete(running, CompletionSink.ERROR, -Errno.ENODEV);
    assertEquals(-Errno.ETIMEDOUT, context.await(over, -1));
    assertEquals(RecoveryCause.Kind.CRASH, patient.failures.take().kind());
    patient.close();
  }
}
