package io.isle.inference.engine.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.inference.engine.fallback.TestFallback.Position;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelFallbackTest {
  private final TestFallback world = new TestFallback();
  private final ModelFallback model = world.model();

  @Test
  void ofTwoGroupsOneLosesTheModelTheOtherKeepsIt() {
    model.outcomes("web", 500);
    model.outcomes("batch", 500);
    model.enterGroup("web", new Drift(520, 700));
    world.pass(4000, model::tick);
    assertEquals(Position.CLOSED, world.gate("web").position);
    assertEquals(Position.OPEN, world.gate("").position);
    assertEquals(1, model.states().size());
    assertEquals(Optional.empty(), model.state("batch").reason());
  }

  @Test
  void itIsTheModelsWhenMoreThanHalfOfTheGroupsHaveIt() {
    for (String group : List.of("a", "b", "c")) {
      model.outcomes(group, 200);
    }
    model.outcomes("small", 199);
    model.enterGroup("a", new Drift(520, 700));
    model.enterGroup("b", new OutputValidationFailed());
    model.enterGroup("small", new Drift(1, 700));
    assertEquals(Position.OPEN, world.gate("").position, "two thirds, but of different reasons");
    model.enterGroup("c", new Drift(310, 700));
    assertEquals(Optional.of(new Drift(310, 700)), model.state().reason());
    assertEquals(Position.CLOSED, world.gate("").position);
  }

  @Test
  void aGroupThatGrowsCountsFromThenOn() {
    model.outcomes("a", 199);
    model.enterGroup("a", new Drift(520, 700));
    assertEquals(Position.OPEN, world.gate("").position);
    model.outcomes("a", 200);
    assertEquals(Position.CLOSED, world.gate("").position);
  }

  @Test
  void limitsSayWhichGroupsCountAndHowManyAreTooMany() {
    model.limits(FallbackTimes.DEFAULT, new GroupLimits(10, 66));
    for (String group : List.of("a", "b", "c")) {
      model.outcomes(group, 10);
    }
    model.outcomes("small", 9);
    model.enterGroup("a", new Drift(520, 700));
    assertEquals(Position.OPEN, world.gate("").position);
    model.enterGroup("b", new Drift(520, 700));
    assertEquals(Position.CLOSED, world.gate("").position, "67 percent");
    model.reset();
    model.limits(FallbackTimes.DEFAULT, new GroupLimits(10, 67));
    model.enterGroup("a", new Drift(520, 700));
    model.enterGroup("b", new Drift(520, 700));
    assertEquals(Position.OPEN, world.gate("").position);
    model.limits(FallbackTimes.DEFAULT, new GroupLimits(11, 67));
    model.outcomes("a", 11);
    assertEquals(Position.CLOSED, world.gate("").position, "the only one that counts");
  }

  @Test
  void afterTheAdminTheSameGroupsTakeNothingAgain() {
    model.outcomes("a", 200);
    model.enterGroup("a", new Drift(520, 700));
    model.reset();
    model.outcomes("a", 300);
    world.pass(100, model::tick);
    assertEquals(Position.OPEN, world.gate("").position);
    assertEquals(Position.OPEN, world.gate("a").position);
  }

  @Test
  void whatDataCannotCauseIsNotCompared() {
    model.outcomes("a", 200);
    model.disable("a");
    model.enterGroup("a", new CycleBudgetExceeded());
    assertEquals(Position.OPEN, world.gate("").position);
  }

  @Test
  void aDeviceIsFarFromTheOthers() {
    model.enterDevice("npu0", new DeviceError("npu0", 5));
    model.enterDevice("npu1", new HwTimeout("npu1", 2000));
    model.deviceReset("npu0");
    assertEquals(Position.OPEN, world.gate("device npu0").position);
    assertEquals(Position.CLOSED, world.gate("device npu1").position);
    assertEquals(Position.OPEN, world.gate("").position);
  }

  @Test
  void anotherModelEndsTheDriftsOfAll() {
    model.outcomes("a", 200);
    model.outcomes("b", 200);
    model.outcomes("c", 200);
    model.enterGroup("a", new Drift(520, 700));
    model.enterGroup("b", new Drift(520, 700));
    model.modelReplaced();
    assertEquals(List.of(), model.states());
    assertEquals(Position.OPEN, world.gate("").position);
    model.enterGroup("c", new Drift(520, 700));
    assertEquals(Position.OPEN, world.gate("").position, "no group has outcomes of this model");
  }

  @Test
  void aGroupThatLeavesFindsItsFallbackAgain() {
    model.enterGroup("a", new Drift(520, 700));
    model.forget("a");
    model.forget("b");
    assertEquals(Optional.of(new Drift(520, 700)), model.state("a").reason());
  }

  @Test
  void allScopesOutliveARestart() {
    model.disable();
    model.enterGroup("a", new Drift(520, 700));
    model.enterDevice("npu0", new DeviceError("npu0", 5));
    TestFallback other = new TestFallback();
    ModelFallback restarted = other.model();
    restarted.restore(model.save());
    assertEquals(Optional.of(new ModelDisabled()), restarted.state().reason());
    assertEquals(model.states(), restarted.states());
    assertEquals(Position.CLOSED, other.gate("a").position);
    assertEquals(List.of(), other.events);
    SavedFallback foreign =
        new SavedFallback(
            FallbackScope.ofModel("other"), true, Optional.empty(), 0, 0, FallbackStep.NONE, false);
    assertThrows(IllegalArgumentException.class, () -> restarted.restore(List.of(foreign)));
  }

  @Test
  void retriesAndHoldsAreOfTheirScope() {
    model.enter(new OutputValidationFailed());
    model.enterGroup("a", new OutputValidationFailed());
    model.hold();
    model.retry("a");
    assertEquals(Position.CLOSED, world.gate("").position);
    assertEquals(Position.TRIAL, world.gate("a").position);
    model.hold("a");
    model.retry();
    assertEquals(Position.TRIAL, world.gate("").position);
    assertEquals(Position.CLOSED, world.gate("a").position);
    model.tried(true);
    assertEquals(1, model.state().successes());
    assertEquals(0, model.state("a").successes());
  }

  @Test
  void callsOfAGroupCountForItAndTheModel() {
    model.enter(new CycleBudgetExceeded());
    model.enterGroup("a", new OutputValidationFailed());
    model.fallbackCalls("a", 7);
    model.fallbackCalls("b", 5);
    assertEquals(12, model.state().consecutiveCount());
    assertEquals(7, model.state("a").consecutiveCount());
  }

  @Test
  void gatesOfAnotherModelAreBroughtToTheirPositions() {
    model.enterGroup("a", new OutputValidationFailed());
    world.gates.clear();
    model.gatesChanged();
    assertEquals(Position.CLOSED, world.gate("a").position);
    assertEquals(Position.OPEN, world.gate("").position);
  }
}
