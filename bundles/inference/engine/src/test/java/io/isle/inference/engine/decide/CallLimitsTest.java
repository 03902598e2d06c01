package io.isle.inference.engine.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.inference.engine.distribution.DistributionLimits;
import io.isle.inference.engine.fallback.ModelFallback;
import org.junit.jupiter.api.Test;

class CallLimitsTest {
  private final TestPoint point = new TestPoint(Outside.REJECT);
  private final SlotGates gates = new SlotGates();
  private final ModelFallback fallback = TestModels.fallback(point, gates, () -> 0);
  private final DecisionSlot slot = new DecisionSlot(point, gates, () -> 0);
  private final Decider decider = slot.open("team-a", 4, () -> {});

  private void invalid(int times) {
    int[] out = new int[1];
    for (int i = 0; i < times; i++) {
      long ignored = decider.decide(new int[] {1, 0}, out);
      assertEquals(TestPoint.RULE, out[0]);
    }
    gates.tell(fallback);
  }

  private boolean isLost() {
    return fallback.state("team-a").reason().isPresent();
  }

  @Test
  void fewerInvalidOutputsInARowAreTooMany() {
    slot.set(
        slot.state()
            .with(TestModels.of(slot.spec(), TestModels.constant(TestPoint.MOST + 1)), null, null));
    invalid(3);
    assertFalse(isLost());
    slot.limits(new CallLimits(5, DistributionLimits.DEFAULT));
    invalid(1);
    assertFalse(isLost());
    invalid(1);
    assertTrue(isLost());
  }

  @Test
  void aGroupThatComesLaterHasTheSameLimit() {
    slot.limits(new CallLimits(1, DistributionLimits.DEFAULT));
    slot.set(
        slot.state()
            .with(TestModels.of(slot.spec(), TestModels.constant(TestPoint.MOST + 1)), null, null));
    int[] out = new int[1];
    long ignored = slot.open("team-b", 4, () -> {}).decide(new int[] {1, 0}, out);
    gates.tell(fallback);
    assertTrue(fallback.state("team-b").reason().isPresent());
  }

  @Test
  void limitsAreChecked() {
    assertThrows(
        IllegalArgumentException.class, () -> new CallLimits(0, DistributionLimits.DEFAULT));
  }
}
