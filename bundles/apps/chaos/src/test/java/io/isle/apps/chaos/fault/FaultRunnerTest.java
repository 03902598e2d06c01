package io.isle.apps.chaos.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceTree;
import io.isle.apps.chaos.check.Tally;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Machine;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.FakeBundle;
import io.isle.apps.chaos.platform.FakeCore;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.platform.SimulatedPace;
import io.isle.apps.chaos.work.Recorder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultRunnerTest {
  private static final Fleet FLEET =
      new Fleet(List.of(new Machine(FakeNode.ID, "soft", 2, true, Map.of())), List.of());

  private final FakeNode node = new FakeNode();
  private final SimulatedPace pace = new SimulatedPace();
  private final FakeCore core = new FakeCore().withPartial(DeviceTree.class, node);
  private final Recorder recorder = new Recorder(event -> {}, Runnable::run);
  private final Tally tally = new Tally();
  private final FaultRunner faults =
      new FaultRunner(Platform.of(FakeBundle.framework(), core, pace), recorder, tally, FLEET);

  @AfterEach
  void end() {
    faults.close();
  }

  private void play(FaultKind... kinds) throws InterruptedException {
    for (int i = 0; i < kinds.length; i++) {
      faults.post(new Step(i + 1, 0, kinds[i], FakeNode.ID, 1));
    }
    faults.end();
    assertTrue(faults.awaitEnd(30_000), "all steps were acted");
  }

  private long done(FaultKind kind) {
    return tally.faults(1).get(kind.ordinal()).done();
  }

  /** An administration of which the first calls fail. */
  final class Failing {
    private final Runnable failure;
    private int left;

    Failing(int times, Runnable failure) {
      left = times;
      this.failure = failure;
    }

    void reload(String id) {
      if (left-- > 0) {
        failure.run();
      }
      node.reload(id);
    }
  }

  private void failing(int times, Runnable failure) {
    core.withPartial(DeviceAdmin.class, new Failing(times, failure));
  }

  @Test
  void stepsOfOneTargetComeInTheirOrder() throws Exception {
    core.withPartial(DeviceAdmin.class, node);
    play(FaultKind.RELOAD, FaultKind.TIER, FaultKind.RESET);
    assertEquals(List.of("reload", "configure {tier=1}", "reset"), node.calls);
    assertEquals(1, done(FaultKind.RELOAD));
    assertEquals(1, done(FaultKind.TIER));
    assertEquals(3, recorder.step());
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void aStepThatMetAnotherFaultIsTriedAgain() throws Exception {
    failing(
        2,
        () -> {
          throw new DeviceException(Errno.ENODEV, "not open");
        });
    play(FaultKind.RELOAD);
    assertEquals(1, done(FaultKind.RELOAD));
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void butNotForEver() throws Exception {
    failing(
        3,
        () -> {
          throw new DeviceException(Errno.ENODEV, "not open");
        });
    play(FaultKind.RELOAD, FaultKind.RELOAD);
    assertEquals(1, done(FaultKind.RELOAD), "the second step");
  }

  @Test
  void aServiceThatStopsUnderACallIsNoProblem() throws Exception {
    failing(
        1,
        () -> {
          core.without(Runnable.class);
          throw new IllegalStateException("stopped");
        });
    play(FaultKind.RELOAD);
    assertEquals(1, done(FaultKind.RELOAD));
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void anErrorIsAProblemAndTheNextStepIsActed() throws Exception {
    failing(
        1,
        () -> {
          throw new AssertionError("planned");
        });
    play(FaultKind.RELOAD, FaultKind.RELOAD);
    assertEquals(1, done(FaultKind.RELOAD), "the second step");
    assertEquals(1, recorder.problems().size(), recorder.problems().toString());
  }

  @Test
  void oneThatFailsWithoutReasonIs() throws Exception {
    failing(
        1,
        () -> {
          throw new IllegalStateException("stopped");
        });
    play(FaultKind.RELOAD);
    assertEquals(0, done(FaultKind.RELOAD));
    assertEquals(
        List.of(
            "unexpected: step 1 (reload soft0): java.lang.IllegalStateException: stopped (after"
                + " step 1)"),
        recorder.problems());
  }
}
