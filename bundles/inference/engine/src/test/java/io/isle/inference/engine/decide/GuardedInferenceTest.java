package io.isle.inference.engine.decide;

import static io.isle.inference.engine.decide.TestModels.constant;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.FallbackReason;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.lib.model.ModelEngine;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardedInferenceTest {
  private static final int SLOW_NS = 6000;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger hooks = new AtomicInteger();
  private final TestPoint point = new TestPoint(Outside.REJECT);
  private final SlotGates gates = new SlotGates();
  private final ModelFallback fallback = TestModels.fallback(point, gates, now::get);
  private DecisionSlot slot = new DecisionSlot(point, gates, now::get);
  private Decider decider = open("team-a");
  private final int[] out = new int[1];
  private long ticket;

  private Decider open(String group) {
    return slot.open(group, 4, hooks::incrementAndGet);
  }

  private LoadedModel serve(ModelEngine engine, boolean net) {
    LoadedModel model = TestModels.of(slot.spec(), engine, net);
    slot.set(slot.state().with(model, null, null));
    return model;
  }

  private int decide(int a) {
    return decide(decider, a);
  }

  private int decide(Decider by, int a) {
    ticket = by.decide(new int[] {a, 0}, out);
    return out[0];
  }

  private String reason() {
    gates.tell(fallback);
    fallback.tick();
    return text(fallback.state().reason());
  }

  private String reason(String group) {
    gates.tell(fallback);
    fallback.tick();
    return text(fallback.state(group).reason());
  }

  private static String text(Optional<FallbackReason> reason) {
    return reason.map(FallbackReason::text).orElse("");
  }

  @Test
  void withoutAModelTheRuleDecidesAndNothingIsKept() {
    assertEquals(TestPoint.RULE, decide(1));
    assertEquals(0, ticket);
    assertFalse(decider.wanted());
  }

  @Test
  void aSoundModelDecides() {
    LoadedModel model = serve(constant(42), false);
    assertTrue(decider.wanted());
    assertEquals(42, decide(1));
    assertEquals(1, model.stats().invocations());
    assertEquals(0, model.stats().total(Count.FALLBACKS));
  }

  @ParameterizedTest
  @CsvSource({"ACTIVE, 42, true", "HEURISTIC, -7, true", "OFF, -7, false"})
  void theModeSaysWhoDecides(Mode mode, int answer, boolean wanted) {
    LoadedModel model = serve(constant(42), false);
    slot.set(slot.state().with(mode, 5000));
    assertEquals(answer, decide(1));
    assertEquals(wanted, decider.wanted());
    assertEquals(mode == Mode.ACTIVE ? 1 : 0, model.stats().invocations());
  }

  @ParameterizedTest
  @CsvSource({"-100, 42", "100, 42", "-101, -7", "101, -7", "2147483647, -7", "-2147483648, -7"})
  void featuresOutOfTheTrainedRangeAreTheRules(int a, int answer) {
    LoadedModel model = serve(constant(42), false);
    assertEquals(answer, decide(a));
    assertEquals(answer == 42 ? 0 : 1, model.stats().total(Count.OUTSIDE));
    assertEquals(answer == 42 ? 0 : 1, model.stats().total(Count.FALLBACKS));
  }

  @Test
  void anAbstentionIsNoFailure() {
    LoadedModel model = serve((f, o, run) -> ModelEngine.ABSTAINED, false);
    for (int i = 0; i < 100; i++) {
      assertEquals(TestPoint.RULE, decide(1));
    }
    assertEquals(100, model.stats().total(Count.ABSTAINED));
    assertEquals("", reason() + reason("team-a"));
  }

  @Test
  void sixteenInvalidOutputsInARowEndTheUseByThisGroup() {
    AtomicInteger answer = new AtomicInteger(TestPoint.MOST + 1);
    LoadedModel model =
        serve(
            (f, o, run) -> {
              o[0] = answer.get();
              return ModelEngine.DONE;
            },
            false);
    Decider other = open("team-b");
    for (int i = 0; i < 15; i++) {
      assertEquals(TestPoint.RULE, decide(1));
    }
    answer.set(5);
    assertEquals(5, decide(1));
    answer.set(TestPoint.MOST + 1);
    for (int i = 0; i < 16; i++) {
      assertEquals("", reason("team-a"));
      assertEquals(TestPoint.RULE, decide(1));
    }
    answer.set(5);
    assertEquals(TestPoint.RULE, decide(1));
    assertEquals(1, slot.uses().getFirst().takeShutOut());
    assertEquals(5, decide(other, 1));
    assertEquals(31, model.stats().total(Count.INVALID));
    assertEquals("output_validation_failed", reason("team-a"));
    assertEquals("", reason() + reason("team-b"));
  }

  @Test
  void outputsAreClampedWhereTheDecisionSaysSo() {
    slot = new DecisionSlot(new TestPoint(Outside.CLAMP), gates, now::get);
    decider = open("team-a");
    serve(constant(Integer.MAX_VALUE), false);
    assertEquals(TestPoint.MOST, decide(1));
    serve(constant(Integer.MIN_VALUE), false);
    assertEquals(-TestPoint.MOST, decide(1));
  }

  private ModelEngine slow(AtomicInteger runs, int slowRuns) {
    return (f, o, run) -> {
      o[0] = 42;
      if (runs.incrementAndGet() <= slowRuns) {
        now.addAndGet(SLOW_NS);
      }
      return ModelEngine.DONE;
    };
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 3", "3, 4"})
  void aCallThatIsWithinTheLimitWhenRepeatedWasInterrupted(int slowRuns, int allRuns) {
    AtomicInteger runs = new AtomicInteger();
    LoadedModel model = serve(slow(runs, slowRuns), true);
    assertEquals(42, decide(1));
    assertEquals(allRuns, runs.get());
    assertEquals(1, model.stats().total(Count.INTERRUPTED));
    assertEquals("", reason());
  }

  @Test
  void aCallThatIsSlowFourTimesEndsTheUseOfTheModel() {
    AtomicInteger runs = new AtomicInteger();
    serve(slow(runs, Integer.MAX_VALUE), true);
    Decider other = open("team-b");
    assertEquals(TestPoint.RULE, decide(1));
    assertEquals(4, runs.get());
    assertEquals(TestPoint.RULE, decide(other, 1));
    assertEquals(4, runs.get());
    assertEquals("cycle_budget_exceeded", reason());
    assertTrue(fallback.state().adminNeeded());
  }

  @Test
  void onlyNetsAreTimedAtEachCall() {
    LoadedModel net = serve(constant(1), true);
    for (int i = 0; i < 32; i++) {
      decide(1);
    }
    assertEquals(32, net.stats().total(Count.TIMED));
    LoadedModel tree = serve(constant(1), false);
    for (int i = 0; i < 32; i++) {
      decide(1);
    }
    assertEquals(2, tree.stats().total(Count.TIMED));
  }

  @Test
  void aYieldRunsTheHookAndIsNotHeldAgainstTheModel() {
    AtomicInteger layers = new AtomicInteger();
    LoadedModel model =
        serve(
            (f, o, run) -> {
              now.addAndGet(SLOW_NS);
              if (layers.incrementAndGet() == 1 && run.yieldRequested()) {
                return ModelEngine.YIELDED;
              }
              o[0] = run.yieldRequested() ? 1 : 42;
              return ModelEngine.DONE;
            },
            true);
    decider.requestYield();
    assertEquals(42, decide(1));
    assertEquals(1, hooks.get());
    assertEquals(2, layers.get());
    assertEquals("", reason());
    assertEquals(0, model.stats().total(Count.INTERRUPTED));
  }

  @Test
  void aTrialIsOneCall() {
    serve(constant(42), false);
    fallback.enterGroup("team-a", new FallbackReason.OutputValidationFailed());
    assertEquals(TestPoint.RULE, decide(1));
    for (int retry = 0; retry < 3; retry++) {
      assertEquals("output_validation_failed", reason("team-a"));
      now.addAndGet(TimeUnit.SECONDS.toNanos(10));
      fallback.tick();
      assertEquals(TestPoint.RULE, decide(101));
      assertEquals(42, decide(1));
      assertEquals(TestPoint.RULE, decide(1));
    }
    assertEquals("", reason("team-a"));
    assertEquals(42, decide(1));
  }

  @Test
  void aFailedTrialKeepsTheFallback() {
    serve(constant(TestPoint.MOST + 1), false);
    fallback.enter(new FallbackReason.OutputValidationFailed());
    for (int retry = 0; retry < 5; retry++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(10));
      assertEquals("output_validation_failed", reason());
      assertEquals(TestPoint.RULE, decide(1));
    }
    assertEquals("output_validation_failed", reason());
  }

  @Test
  void aTrialIsTimed() {
    LoadedModel model = serve(constant(42), false);
    fallback.enter(new FallbackReason.OutputValidationFailed());
    now.addAndGet(TimeUnit.SECONDS.toNanos(10));
    fallback.tick();
    assertEquals(42, decide(1));
    assertEquals(1, model.stats().total(Count.TIMED));
  }

  @Test
  void aLateCallOfTheFormerModelSaysNothingOfTheNext() {
    AtomicInteger runs = new AtomicInteger();
    ModelEngine slow = slow(runs, Integer.MAX_VALUE);
    serve(
        (f, o, run) -> {
          slot.set(slot.state().with(TestModels.of(slot.spec(), constant(1)), null, null));
          return slow.run(f, o, run);
        },
        true);
    assertEquals(TestPoint.RULE, decide(1));
    assertEquals(1, decide(1));
    assertEquals("", reason());
  }
}
