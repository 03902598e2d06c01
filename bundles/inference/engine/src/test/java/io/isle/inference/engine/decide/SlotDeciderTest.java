package io.isle.inference.engine.decide;

import static io.isle.inference.engine.decide.TestModels.constant;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.distribution.DistributionLimits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotDeciderTest {
  private final TestPoint point = new TestPoint(Outside.CLAMP);
  private final DecisionSlot slot = new DecisionSlot(point, new SlotGates(), () -> 0);
  private final int[] out = new int[1];

  private LoadedModel serve(int answer) {
    LoadedModel model = TestModels.of(slot.spec(), constant(answer));
    slot.set(slot.state().with(model, null, slot.state().serving()));
    return model;
  }

  private int decide(Decider decider) {
    long ignored = decider.decide(new int[] {1, 2}, out);
    return out[0];
  }

  @Test
  void theSlotSwapsUnderOpenDeciders() {
    Decider decider = slot.open("team-a", 1, () -> {});
    LoadedModel first = serve(1);
    assertEquals(1, decide(decider));
    serve(2);
    assertEquals(2, decide(decider));
    assertEquals(first, slot.state().previous());
    slot.set(slot.state().with(null, null, null));
    assertEquals(TestPoint.RULE, decide(decider));
  }

  @Test
  void aGroupThatComesLaterUsesTheModel() {
    serve(1);
    Decider decider = slot.open("team-a", 1, () -> {});
    Decider second = slot.open("team-a", 1, () -> {});
    Decider other = slot.open("team-b", 1, () -> {});
    assertEquals(1, decide(decider));
    assertEquals(1, decide(second));
    assertEquals(1, decide(other));
    assertEquals(List.of("team-a", "team-b"), slot.uses().stream().map(GroupUse::group).toList());
    other.close();
    decider.close();
    assertEquals(List.of("team-a"), slot.uses().stream().map(GroupUse::group).toList());
  }

  @Test
  void aDecisionIsReadWithItsOutcome() {
    serve(1);
    SlotDecider decider = (SlotDecider) slot.open("team-a", 1, () -> {});
    long ticket = decider.decide(new int[] {1, 2}, out);
    assertTrue(ticket > 0);
    decider.outcome(ticket, new int[] {77});
    DecisionRecord record = new DecisionRecord(2, 1);
    assertTrue(decider.read(record));
    assertArrayEquals(new int[] {1, 2}, record.features);
    assertArrayEquals(new int[] {1}, record.answer);
    assertArrayEquals(new int[] {77}, record.actual);
  }

  @Test
  void aShadowWantsDecisionsAndDecidesNothing() {
    Decider decider = slot.open("team-a", 1, () -> {});
    slot.set(slot.state().with(null, TestModels.of(slot.spec(), constant(9)), null));
    assertTrue(decider.wanted());
    assertEquals(TestPoint.RULE, decide(decider));
  }

  @Test
  void aClosedDeciderAnswersByTheRule() {
    serve(1);
    Decider decider = slot.open("team-a", 1, () -> {});
    decider.close();
    decider.close();
    assertEquals(TestPoint.RULE, decide(decider));
    assertFalse(decider.wanted());
    decider.outcome(1, new int[] {1});
    assertTrue(slot.deciders().isEmpty());
  }

  @Test
  void theEndOfTheSlotClosesItsDeciders() {
    serve(1);
    Decider decider = slot.open("team-a", 1, () -> {});
    slot.close();
    assertEquals(TestPoint.RULE, decide(decider));
    InferenceException e =
        assertThrows(InferenceException.class, () -> slot.open("team-a", 1, () -> {}));
    assertEquals(Errno.ECLOSED, e.code());
  }

  @ParameterizedTest
  @CsvSource({"team-a, 0", "team-a, 65537", "team-a, -1", "'', 1", "Team, 1"})
  void wrongArgumentsAreRefused(String group, int outstanding) {
    InferenceException e =
        assertThrows(InferenceException.class, () -> slot.open(group, outstanding, () -> {}));
    assertEquals(Errno.EINVAL, e.code());
    assertTrue(slot.deciders().isEmpty());
  }

  @Test
  void tooFewFeaturesAreTheRules() {
    serve(1);
    Decider decider = slot.open("team-a", 1, () -> {});
    assertEquals(0, decider.decide(new int[] {1}, out));
    assertEquals(TestPoint.RULE, out[0]);
  }

  @Test
  void otherFallbacksGuardTheSameDeciders() {
    serve(1);
    Decider decider = slot.open("team-a", 1, () -> {});
    SlotGates off = new SlotGates();
    TestModels.fallback(point, off, () -> 0).disable();
    slot.guardBy(off);
    assertEquals(TestPoint.RULE, decide(decider));
    SlotGates offForOne = new SlotGates();
    TestModels.fallback(point, offForOne, () -> 0).disable("team-a");
    slot.guardBy(offForOne);
    assertEquals(TestPoint.RULE, decide(decider));
    assertEquals(1, decide(slot.open("team-b", 1, () -> {})));
    slot.guardBy(new SlotGates());
    assertEquals(1, decide(decider));
  }

  @Test
  void anAnomalyIsToldOnce() {
    serve(1);
    SlotDecider decider = (SlotDecider) slot.open("team-a", 1, () -> {});
    for (int i = 0; i < DistributionLimits.DEFAULT.calls(); i++) {
      assertTrue(decider.takeAnomaly().isEmpty());
      long ignored = decider.decide(new int[] {1, 500}, out);
      assertEquals(TestPoint.RULE, out[0]);
    }
    assertEquals(
        new FallbackReason.InputDistributionAnomaly(1, 500, -100, 100),
        decider.takeAnomaly().orElseThrow());
    assertTrue(decider.takeAnomaly().isEmpty());
    serve(2);
    assertTrue(decider.takeAnomaly().isEmpty());
  }

  @Test
  void everyOwnerGetsTheSameLimit() {
    assertEquals(1 << 16, Deciders.OUTSTANDING);
    slot.open("team-a", Deciders.OUTSTANDING, () -> {}).close();
  }
}
