package io.isle.inference.engine.fallback;

import static io.isle.api.inference.FallbackEvent.Type.ADMIN_RESET;
import static io.isle.api.inference.FallbackEvent.Type.AUTO_DISABLED;
import static io.isle.api.inference.FallbackEvent.Type.ENTERED;
import static io.isle.api.inference.FallbackEvent.Type.ESCALATION_CRITICAL;
import static io.isle.api.inference.FallbackEvent.Type.ESCALATION_WARNING;
import static io.isle.api.inference.FallbackEvent.Type.RECOVERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.api.inference.FallbackReason.SignatureFailed;
import io.isle.inference.engine.fallback.TestFallback.Position;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FallbackMachineTest {
  private static final FallbackScope MODEL = FallbackScope.ofModel("page_prefetch");
  private static final FallbackScope GROUP = FallbackScope.ofGroup("page_prefetch", "web");

  private final TestFallback world = new TestFallback();
  private final FallbackMachine machine = world.machine(MODEL);

  static List<FallbackReason> thoseOfTheAdmin() {
    return List.of(new CycleBudgetExceeded(), new DeviceError("npu0", 5), new Drift(520, 700));
  }

  @Test
  void escalatesInStepsAndIsDisabledInTheEnd() {
    machine.enter(new HwTimeout("npu0", 2000));
    world.pass(59, machine::tick);
    assertEquals(List.of(ENTERED), world.takeTypes());
    world.pass(1, machine::tick);
    assertEquals(60 * TestFallback.SECOND, world.events.getFirst().durationNs());
    assertEquals(List.of(ESCALATION_WARNING), world.takeTypes());
    world.pass(240, machine::tick);
    assertEquals(List.of(ESCALATION_CRITICAL), world.takeTypes());
    world.pass(3299, machine::tick);
    assertEquals(List.of(), world.takeTypes());
    assertFalse(machine.state().adminNeeded());
    world.pass(1, machine::tick);
    assertEquals(List.of(AUTO_DISABLED), world.takeTypes());
    assertTrue(machine.state().adminNeeded());
    assertEquals(FallbackStep.AUTO_DISABLED, machine.state().step());
    world.pass(100, machine::tick);
    assertEquals(Position.CLOSED, position());
    assertFalse(machine.retry());
    machine.reset();
    assertEquals(List.of(ADMIN_RESET), world.takeTypes());
    assertEquals(Position.OPEN, position());
  }

  @Test
  void manyCallsBringTheWarningEarlyButNoFurtherStep() {
    machine.enter(new CycleBudgetExceeded());
    machine.fallbackCalls(FallbackTimes.DEFAULT.escalationThreshold() - 1);
    machine.tick();
    assertEquals(List.of(ENTERED), world.takeTypes());
    machine.fallbackCalls(1);
    world.pass(59, machine::tick);
    assertEquals(List.of(ESCALATION_WARNING), world.takeTypes());
    assertEquals(10_000_000, machine.state().consecutiveCount());
    assertEquals(10_000_000, machine.state().escalationThreshold());
  }

  @ParameterizedTest
  @MethodSource("thoseOfTheAdmin")
  void onlyTheAdminEndsIt(FallbackReason reason) {
    machine.enter(reason);
    assertTrue(machine.state().adminNeeded());
    world.pass(50, machine::tick);
    assertEquals(Position.CLOSED, position());
    assertFalse(machine.retry());
    machine.driftEnded();
    assertEquals(Optional.of(reason), machine.state().reason());
    assertTrue(machine.reset());
    assertEquals(Position.OPEN, position());
    assertEquals(List.of(ENTERED, ADMIN_RESET), world.takeTypes());
  }

  @Test
  void onlyAnotherModelEndsAWrongSignature() {
    machine.enter(new SignatureFailed());
    assertFalse(machine.reset());
    assertEquals(Position.CLOSED, position());
    machine.modelReplaced();
    assertEquals(Position.OPEN, position());
    assertEquals(List.of(ENTERED, RECOVERED), world.takeTypes());
  }

  @Test
  void theResetOfTheDeviceEndsItsErrorAndNothingElse() {
    machine.enter(new DeviceError("npu0", 5));
    machine.modelReplaced();
    assertEquals(Position.CLOSED, position());
    machine.deviceReset();
    assertEquals(Position.OPEN, position());
    machine.enter(new CycleBudgetExceeded());
    machine.deviceReset();
    assertEquals(Position.CLOSED, position());
  }

  @Test
  void theDriftOfAGroupEndsWithoutAnAdmin() {
    FallbackMachine group = world.machine(GROUP);
    group.enter(new Drift(520, 700));
    assertFalse(group.state().adminNeeded());
    group.driftEnded();
    assertEquals(Position.OPEN, world.gate("web").position);
    group.enter(new Drift(520, 700));
    world.pass(3600, group::tick);
    group.driftEnded();
    assertEquals(Position.CLOSED, world.gate("web").position);
  }

  @Test
  void whatAnAdminSwitchedOffNeverEscalates() {
    machine.disable();
    world.pass(4000, machine::tick);
    assertEquals(List.of(ENTERED), world.takeTypes());
    assertEquals(Optional.of(new ModelDisabled()), machine.state().reason());
    assertTrue(machine.state().adminNeeded());
    machine.enter(new OutputValidationFailed());
    world.pass(4000, machine::tick);
    assertEquals(List.of(ENTERED), world.takeTypes());
    machine.reset();
    assertEquals(List.of(ADMIN_RESET), world.takeTypes());
    assertEquals(Position.OPEN, position());
  }

  @Test
  void switchedOffStaysOffWithAnotherModel() {
    machine.enter(new CycleBudgetExceeded());
    machine.disable();
    machine.modelReplaced();
    assertEquals(Position.CLOSED, position());
    assertTrue(machine.reset());
    assertEquals(Position.OPEN, position());
  }

  @Test
  void aWrongSignatureOutlivesTheSwitch() {
    machine.disable();
    machine.enter(new SignatureFailed());
    world.pass(4000, machine::tick);
    assertFalse(machine.reset());
    assertEquals(Optional.of(new SignatureFailed()), machine.state().reason());
    world.takeTypes();
    world.pass(60, machine::tick);
    assertEquals(List.of(ESCALATION_WARNING), world.takeTypes());
  }

  @Test
  void aGraverReasonTakesThePlaceAndKeepsTheBeginning() {
    machine.enter(new OutputValidationFailed());
    world.pass(70, machine::tick);
    world.takeTypes();
    assertTrue(machine.enter(new CycleBudgetExceeded()));
    assertFalse(machine.enter(new OutputValidationFailed()));
    FallbackEvent entered = world.events.getFirst();
    assertEquals(new CycleBudgetExceeded(), entered.reason());
    assertEquals(70 * TestFallback.SECOND, entered.durationNs());
    assertEquals(FallbackStep.WARNING, machine.state().step());
    machine.tried(true);
    world.pass(20, machine::tick);
    assertEquals(Position.CLOSED, position());
  }

  @Test
  void goesOnAfterARestart() {
    machine.enter(new InputDistributionAnomaly(2, 900, 0, 100));
    world.pass(3000, machine::tick);
    SavedFallback saved = machine.save().orElseThrow();
    TestFallback other = new TestFallback();
    other.now = -77;
    FallbackMachine restarted = other.machine(MODEL);
    restarted.restore(saved);
    assertEquals(Position.CLOSED, other.gate("").position);
    other.pass(599, restarted::tick);
    assertEquals(List.of(), other.takeTypes());
    assertEquals(3599 * TestFallback.SECOND, restarted.state().durationNs());
    other.pass(1, restarted::tick);
    assertEquals(List.of(AUTO_DISABLED), other.takeTypes());
    TestFallback third = new TestFallback();
    FallbackMachine disabled = third.machine(MODEL);
    disabled.restore(restarted.save().orElseThrow());
    assertTrue(disabled.state().adminNeeded());
    assertEquals(Optional.empty(), world.machine(GROUP).save());
  }

  @Test
  void anotherGateIsBroughtToThePosition() {
    machine.enter(new CycleBudgetExceeded());
    TestFallback.Gate other = new TestFallback.Gate();
    machine.gate(other);
    assertEquals(Position.CLOSED, other.position);
    machine.reset();
    assertEquals(Position.OPEN, other.position);
  }

  private Position position() {
    return world.gate("").position;
  }
}
