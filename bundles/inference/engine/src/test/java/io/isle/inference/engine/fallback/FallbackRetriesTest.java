package io.isle.inference.engine.fallback;

import static io.isle.api.inference.FallbackEvent.Type.ENTERED;
import static io.isle.api.inference.FallbackEvent.Type.RECOVERED;
import static io.isle.api.inference.FallbackEvent.Type.RECOVERY_ATTEMPT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.inference.engine.fallback.TestFallback.Position;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FallbackRetriesTest {
  private static final FallbackScope MODEL = FallbackScope.ofModel("page_prefetch");
  private static final FallbackScope GROUP = FallbackScope.ofGroup("page_prefetch", "web");

  private final TestFallback world = new TestFallback();
  private final FallbackMachine machine = world.machine(MODEL);

  static List<FallbackReason> thoseWithRetries() {
    return List.of(
        new HwTimeout("npu0", 2000),
        new OutputValidationFailed(),
        new InputDistributionAnomaly(2, 900, 0, 100));
  }

  @ParameterizedTest
  @MethodSource("thoseWithRetries")
  void threeRetriesThatGoWellEndIt(FallbackReason reason) {
    assertTrue(machine.enter(reason));
    assertEquals(Position.CLOSED, position());
    for (int i = 1; i <= 3; i++) {
      world.pass(9, machine::tick);
      assertEquals(Position.CLOSED, position(), "too early");
      world.pass(1, machine::tick);
      assertEquals(Position.TRIAL, position());
      assertEquals(i - 1, machine.state().successes());
      world.gate("").close();
      machine.tried(true);
    }
    assertEquals(Position.OPEN, position());
    assertEquals(
        List.of(ENTERED, RECOVERY_ATTEMPT, RECOVERY_ATTEMPT, RECOVERY_ATTEMPT, RECOVERED),
        world.takeTypes());
    assertEquals(Optional.empty(), machine.state().reason());
  }

  @Test
  void aFailedRetryBeginsTheRowAnew() {
    machine.enter(new OutputValidationFailed());
    for (boolean good : new boolean[] {true, true, false, true, true}) {
      world.pass(10, machine::tick);
      machine.tried(good);
    }
    assertEquals(Position.CLOSED, position());
    world.pass(10, machine::tick);
    machine.tried(true);
    assertEquals(Position.OPEN, position());
  }

  @Test
  void otherTimesAreInForceAtOnce() {
    machine.enter(new OutputValidationFailed());
    world.pass(5, machine::tick);
    assertEquals(Position.CLOSED, position());
    machine.times(FallbackTimes.ofSeconds(5, 60, 300, 3600, 100, 1));
    machine.tick();
    assertEquals(Position.TRIAL, position());
    machine.tried(true);
    assertEquals(Position.OPEN, position());
  }

  @Test
  void aRetryThatNeverEndsIsFollowedByAnother() {
    machine.enter(new OutputValidationFailed());
    world.pass(10, machine::tick);
    world.gate("").close();
    world.pass(10, machine::tick);
    assertEquals(Position.TRIAL, position());
  }

  @Test
  void heldItHasNoRetriesAndNoSteps() {
    assertFalse(machine.hold(), "there is no fallback");
    machine.enter(new OutputValidationFailed());
    world.takeTypes();
    assertTrue(machine.hold());
    world.pass(4000, machine::tick);
    assertEquals(List.of(), world.takeTypes());
    assertEquals(Position.CLOSED, position());
    assertTrue(machine.retry());
    assertEquals(Position.TRIAL, position());
    machine.tick();
    assertEquals(List.of(), world.takeTypes(), "the held time does not count");
  }

  @Test
  void aHeldDriftEndsWhenItIsHeldNoLonger() {
    FallbackMachine group = world.machine(GROUP);
    group.enter(new Drift(520, 700));
    assertFalse(group.retry(), "no call ends it");
    group.hold();
    group.driftEnded();
    assertEquals(Position.CLOSED, world.gate("web").position);
    assertTrue(group.retry());
    assertEquals(Position.OPEN, world.gate("web").position);
    group.enter(new Drift(520, 700));
    group.hold();
    group.driftEnded();
    group.enter(new Drift(510, 700));
    assertTrue(group.retry());
    assertEquals(Position.CLOSED, world.gate("web").position, "it drifts again");
    group.driftEnded();
    assertEquals(Position.OPEN, world.gate("web").position);
  }

  @Test
  void askedForRetriesFollowEachOther() {
    machine.enter(new OutputValidationFailed());
    assertTrue(machine.retry());
    for (int i = 0; i < 3; i++) {
      assertEquals(Position.TRIAL, position());
      world.gate("").close();
      machine.tried(true);
      machine.tick();
    }
    assertEquals(Position.OPEN, position());
    machine.enter(new OutputValidationFailed());
    machine.retry();
    machine.tried(false);
    machine.tick();
    assertEquals(Position.CLOSED, position());
  }

  private Position position() {
    return world.gate("").position;
  }
}
