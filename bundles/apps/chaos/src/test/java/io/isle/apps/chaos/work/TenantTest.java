package io.isle.apps.chaos.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capabilities;
import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.check.Verdict;
import io.isle.apps.chaos.platform.FakeCore;
import io.isle.apps.chaos.work.FakeDevice.Fate;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant on a device that does as it is told, in the test's thread. */
class TenantTest {
  private static final int LAST = 60;

  private final FakeDevice device = new FakeDevice();
  private final FakeRights rights = new FakeRights();
  private final FakeCore core =
      new FakeCore()
          .with(Accelerators.class, device.service())
          .withPartial(Capabilities.class, rights);
  private final Ledger ledger = new Ledger();
  private final Recorder recorder = new Recorder(ledger, Runnable::run);
  private Tenant tenant;

  /** Works until the submission {@link #LAST}, of which those before it have these fates. */
  private Verdict work(TenantProfile profile, IntFunction<Fate> fates) {
    tenant = new Tenant(core, recorder, "soft0", profile, 7);
    device.plan =
        number -> {
          if (number == LAST) {
            tenant.stop();
          }
          return number >= LAST ? Fate.GOOD : fates.apply(number);
        };
    tenant.run();
    assertTrue(device.contexts.stream().allMatch(context -> context.closed), "all are closed");
    assertEquals(0, rights.valid, "no right is left");
    return ledger.verdict();
  }

  private void isWell(Verdict verdict) {
    assertEquals(List.of(), verdict.problems());
    assertEquals(List.of(), recorder.problems());
    assertEquals(verdict.submitted(), verdict.ended());
  }

  @ParameterizedTest
  @EnumSource
  void whatTheDeviceComputesIsChecked(TenantProfile profile) {
    Verdict verdict = work(profile, number -> Fate.GOOD);
    isWell(verdict);
    assertEquals(verdict.submitted(), verdict.checked());
    assertTrue(verdict.checked() >= LAST, verdict::toString);
    assertEquals(1, device.contexts.size());
    FakeContext context = device.contexts.getFirst();
    assertEquals(profile == TenantProfile.KEEPING, context.spec.keepPending());
    int retained = profile == TenantProfile.RETAINING ? Buffer.RETAINED : 0;
    assertEquals(retained, context.buffers.getFirst().flags);
  }

  @Test
  void aWrongResultIsFound() {
    Verdict verdict =
        work(TenantProfile.PLAIN, number -> new Fate(0, 0, true, number == 11 || number == 23));
    assertEquals(2, verdict.wrong());
  }

  @Test
  void aResultThatACrashTookIsNotCompared() {
    Verdict verdict =
        work(
            TenantProfile.PLAIN,
            number -> {
              boolean crashed = number > 20;
              device.contexts.getFirst().buffers.forEach(buffer -> buffer.lost = crashed);
              return new Fate(0, 0, true, crashed);
            });
    isWell(verdict);
    assertTrue(verdict.checked() < verdict.submitted(), verdict::toString);
  }

  @Test
  void whatTheListenerNeverHearsIsLost() {
    Verdict verdict = work(TenantProfile.PLAIN, number -> new Fate(0, 0, number != 11, false));
    assertEquals(1, verdict.lost());
    assertTrue(
        verdict.problems().getFirst().endsWith("never reached the listener; the status is 0"),
        verdict::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.ECLOSED, Errno.ENODEV, Errno.EREVOKED})
  void aContextThatIsGoneIsFollowedByAnother(int code) {
    Verdict refused =
        work(TenantProfile.PLAIN, number -> number == 9 ? Fate.refused(-code) : Fate.GOOD);
    isWell(refused);
    assertEquals(1, refused.refused());
    assertEquals(2, device.contexts.size());
  }

  @Test
  void aContextThatEndsUnderWorkIsFollowedByAnother() {
    Verdict verdict =
        work(TenantProfile.PLAIN, number -> number == 9 ? Fate.ends(-Errno.ECLOSED) : Fate.GOOD);
    isWell(verdict);
    assertEquals(1, verdict.ended(Errno.ECLOSED));
    assertEquals(2, device.contexts.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EINTR, Errno.ETIMEDOUT, Errno.EIO})
  void workThatAFaultEndedCostsNoContext(int code) {
    Verdict verdict =
        work(TenantProfile.PLAIN, number -> number % 5 == 0 ? Fate.ends(-code) : Fate.GOOD);
    isWell(verdict);
    assertEquals(1, device.contexts.size());
    assertEquals((LAST - 1) / 5, verdict.ended(code));
  }

  @Test
  void lostInputsAreWrittenAgain() {
    Verdict verdict =
        work(
            TenantProfile.PLAIN,
            number ->
                number == 9
                    ? Fate.refused(-Errno.ENODATA)
                    : number == 21 ? Fate.ends(-Errno.ENODATA) : Fate.GOOD);
    isWell(verdict);
    assertEquals(
        4 + 2,
        device.contexts.getFirst().buffers.stream().mapToInt(buffer -> buffer.flushes).sum(),
        "four inputs, two of them twice");
  }

  @Test
  void aRefusalThatNothingExplainsIsIllegal() {
    Verdict verdict =
        work(TenantProfile.PLAIN, number -> number == 9 ? Fate.refused(-Errno.EINVAL) : Fate.GOOD);
    assertEquals(1, verdict.illegal());
  }

  @Test
  void anEndThatNothingExplainsIsIllegal() {
    Verdict verdict =
        work(TenantProfile.PLAIN, number -> number == 9 ? Fate.ends(-Errno.ECANCELED) : Fate.GOOD);
    assertEquals(1, verdict.illegal());
  }

  @Test
  void aRightThatIsForgottenIsAskedForAgain() {
    Verdict verdict =
        work(
            TenantProfile.PLAIN,
            number -> {
              if (number != 9) {
                return Fate.GOOD;
              }
              rights.forgetAll();
              return Fate.refused(-Errno.EREVOKED);
            });
    isWell(verdict);
    assertEquals(2, rights.issued.size());
    assertEquals("soft0", rights.issued.getLast().device().orElseThrow());
  }

  @Test
  void aDeviceThatIsAwayIsAskedForAgain() {
    failingOpen(2, () -> new AccelException(Errno.ENODEV, "not open"));
    isWell(work(TenantProfile.PLAIN, number -> Fate.GOOD));
  }

  @Test
  void aServiceThatIsAwayIsAskedForAgain() {
    failingOpen(
        1,
        () -> {
          core.without(Accelerators.class);
          core.with(Accelerators.class, device.service());
          return new IllegalStateException("stopped");
        });
    isWell(work(TenantProfile.PLAIN, number -> Fate.GOOD));
  }

  @Test
  void aFailureThatNothingExplainsIsAProblem() {
    failingOpen(1, () -> new AccelException(Errno.EINVAL, "bad field"));
    Verdict verdict = work(TenantProfile.PLAIN, number -> Fate.GOOD);
    assertEquals(List.of(), verdict.problems());
    assertEquals(1, recorder.problems().size());
    assertTrue(recorder.problems().getFirst().contains("bad field"), recorder.problems()::toString);
  }

  @Test
  void aStateThatNobodyChangedIsAProblem() {
    failingOpen(1, () -> new IllegalStateException("closed arena"));
    assertEquals(List.of(), work(TenantProfile.PLAIN, number -> Fate.GOOD).problems());
    assertEquals(1, recorder.problems().size());
  }

  @Test
  void memoryThatGoesAwayUnderTheWriterIsWrittenAgain() {
    int[] looks = {0};
    Verdict verdict =
        work(
            TenantProfile.PLAIN,
            number -> {
              if (number != 9) {
                return Fate.GOOD;
              }
              device.contexts.getFirst().buffers.stream()
                  .filter(buffer -> buffer.flushes > 0)
                  .forEach(
                      buffer ->
                          buffer.onSegment =
                              () -> {
                                if (looks[0]++ == 0) {
                                  Thread.currentThread().interrupt();
                                  throw new IllegalStateException("unmapped");
                                }
                              });
              return Fate.refused(-Errno.ENODATA);
            });
    isWell(verdict);
    assertTrue(looks[0] > 1);
    assertFalse(Thread.interrupted(), "nobody asked it to stop");
  }

  private void failingOpen(int times, Supplier<RuntimeException> failure) {
    int[] left = {times};
    device.onOpen =
        () -> {
          if (left[0]-- > 0) {
            throw failure.get();
          }
        };
  }
}
