package io.isle.apps.chaos.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capabilities;
import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.plan.Machine;
import io.isle.apps.chaos.platform.FakeCore;
import io.isle.apps.chaos.work.FakeDevice.Fate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantThreadsTest {
  private final FakeDevice device = new FakeDevice();
  private final FakeRights rights = new FakeRights();
  private final Ledger ledger = new Ledger();
  private final Recorder recorder = new Recorder(ledger, Runnable::run);
  private final CountDownLatch worked = new CountDownLatch(50);
  private final TenantThreads tenants =
      new TenantThreads(
          new FakeCore()
              .with(Accelerators.class, device.service())
              .withPartial(Capabilities.class, rights),
          recorder,
          List.of(new Machine("soft0", "soft", 2, true, Map.of())),
          7);

  @BeforeEach
  void work() throws InterruptedException {
    device.plan =
        number -> {
          if (device.contexts.size() == TenantProfile.values().length) {
            worked.countDown();
          }
          return Fate.GOOD;
        };
    tenants.start();
    assertTrue(worked.await(30, TimeUnit.SECONDS), "they work");
  }

  private void nothingIsLeft() {
    assertEquals(TenantProfile.values().length, device.contexts.size());
    assertTrue(device.contexts.stream().allMatch(context -> context.closed));
    assertEquals(0, rights.valid);
    assertEquals(List.of(), recorder.problems());
    assertEquals(List.of(), ledger.verdict().problems());
  }

  @Test
  void whoStopsFinishesAndCloses() throws InterruptedException {
    tenants.stop();
    nothingIsLeft();
    assertEquals(recorder.accepted(), ledger.verdict().ended());
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void whatNoFaultExplainsIsAProblemAndEndsNobody(Class<? extends Throwable> thrown)
      throws InterruptedException {
    AtomicBoolean once = new AtomicBoolean();
    CountDownLatch after = new CountDownLatch(50);
    device.plan =
        number -> {
          if (once.compareAndSet(false, true)) {
            if (thrown == AssertionError.class) {
              throw new AssertionError("planned");
            }
            throw new IllegalStateException("planned");
          }
          after.countDown();
          return Fate.GOOD;
        };
    assertTrue(after.await(30, TimeUnit.SECONDS), "they go on");
    tenants.stop();
    assertTrue(
        recorder.problems().stream().anyMatch(problem -> problem.contains("planned")),
        () -> recorder.problems().toString());
  }

  @Test
  void whatAnInterruptMakesOfACallIsNoProblem() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    device.plan =
        number -> {
          inside.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
          }
          throw new AccelException(Errno.ECANCELED, "interrupted");
        };
    assertTrue(inside.await(30, TimeUnit.SECONDS), "a call is under way");
    tenants.close();
    nothingIsLeft();
  }

  @Test
  void whoIsInterruptedClosesToo() {
    tenants.close();
    nothingIsLeft();
  }
}
