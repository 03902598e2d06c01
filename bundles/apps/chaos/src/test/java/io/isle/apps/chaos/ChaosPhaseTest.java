package io.isle.apps.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.check.Tally;
import io.isle.apps.chaos.fault.FaultRunner;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.FakeBundle;
import io.isle.apps.chaos.platform.FakeCore;
import io.isle.apps.chaos.platform.Pace;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.work.Recorder;
import io.isle.apps.chaos.work.TenantThreads;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChaosPhaseTest {
  private static final Fleet NONE = new Fleet(List.of(), List.of());

  private final FakeBundle bundle = new FakeBundle("leaf");
  private final FakeCore core = new FakeCore();
  private final Recorder recorder = new Recorder(new Ledger(), Runnable::run);
  private final Tally tally = new Tally();

  private ChaosPhase phase() {
    return new ChaosPhase(
        new TenantThreads(core, recorder, List.of(), 7),
        new FaultRunner(
            Platform.of(FakeBundle.framework(bundle), core, Pace.REAL), recorder, tally, NONE),
        recorder,
        new RecoveryHistory(core),
        Pace.REAL,
        line -> {});
  }

  private static Step step(int number, long atMs) {
    return new Step(number, atMs, FaultKind.BUNDLE_RESTART, "leaf", 1);
  }

  private long restarts() {
    return tally.faults(1).get(FaultKind.BUNDLE_RESTART.ordinal()).done();
  }

  @Test
  void allStepsAreActed() throws InterruptedException {
    try (ChaosPhase phase = phase()) {
      phase.run(List.of(step(1, 0), step(2, 1), step(3, 2)));
    }
    assertEquals(3, restarts());
    assertEquals(List.of(), recorder.problems());
  }

  /** Interrupted twice while the first step is under way: it ends, and no other one begins. */
  @Test
  void anInterruptEndsWhatIsUnderWayAndNothingMore() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    bundle.stopWhen(stopped, interrupted);
    Thread player = Thread.currentThread();
    Thread user =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    stopped.await();
                    player.interrupt();
                    while (player.isInterrupted()) {
                      Thread.onSpinWait();
                    }
                    player.interrupt();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  } finally {
                    interrupted.countDown();
                  }
                });
    try (ChaosPhase phase = phase()) {
      List<Step> steps = List.of(step(1, 0), step(2, 600_000));
      assertThrows(InterruptedException.class, () -> phase.run(steps));
    }
    // the second interrupt is told by the exception, or is still to be told
    boolean ignored = Thread.interrupted();
    user.join();
    assertEquals(List.of("stop", "start"), bundle.calls);
    assertEquals(1, restarts());
    assertEquals(List.of(), recorder.problems());
  }
}
