package io.isle.inference.engine.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackEvent.Type;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.api.inference.FallbackReason.SignatureFailed;
import io.isle.inference.engine.fallback.TestFallback.Position;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Faults, calls and time in any order, on two groups, two devices and the model itself. */
class FallbackPropertyTest {
  private static final List<FallbackReason> REASONS =
      List.of(
          new HwTimeout("npu0", 2000),
          new OutputValidationFailed(),
          new InputDistributionAnomaly(0, 9, 0, 5),
          new Drift(500, 900),
          new CycleBudgetExceeded(),
          new DeviceError("npu0", 5),
          new SignatureFailed());
  private static final List<String> SCOPES = List.of("", "a", "b", "device npu0", "device npu1");

  /**
   * One thing that happens.
   *
   * @param what 0 a fault, 1 a call that goes well, 2 one that does not, 3 time passes
   */
  record Step(int what, int scope, int reason, int seconds) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Step> step =
        Arbitraries.integers()
            .between(0, 3)
            .flatMap(
                what ->
                    Arbitraries.integers()
                        .between(0, SCOPES.size() - 1)
                        .flatMap(
                            scope ->
                                Arbitraries.integers()
                                    .between(0, REASONS.size() - 1)
                                    .flatMap(
                                        reason ->
                                            Arbitraries.integers()
                                                .between(1, 40)
                                                .map(s -> new Step(what, scope, reason, s)))));
    return step.list().ofMinSize(1).ofMaxSize(60);
  }

  /** After the last fault, sound calls bring back within 40 s what retries may bring back. */
  @Property(tries = 500)
  void recoveryIsBounded(@ForAll("steps") List<Step> steps) {
    TestFallback world = new TestFallback();
    ModelFallback model = world.model();
    steps.forEach(step -> act(world, model, step));
    List<FallbackState> before = all(model);
    for (int second = 0; second < 40; second++) {
      world.now += TestFallback.SECOND;
      model.tick();
      SCOPES.forEach(scope -> call(world, model, scope, true));
    }
    for (FallbackState was : before) {
      boolean back = now(model, was.scope()).reason().isEmpty();
      boolean hadRetries =
          was.reason().isPresent()
              && FallbackRules.retries(was.reason().get())
              && was.step() != FallbackStep.AUTO_DISABLED;
      boolean neverOut = was.reason().isEmpty();
      // one whose last step was due within these 40 s is the administrator's now
      boolean disabledMeanwhile = now(model, was.scope()).step() == FallbackStep.AUTO_DISABLED;
      assertEquals(
          neverOut || hadRetries && !disabledMeanwhile, back, was.scope() + " " + was.reason());
    }
  }

  /** Without an administrator, no call and no time ends what is the administrator's to end. */
  @Property(tries = 500)
  void theAdministratorIsNeededWhereRequired(@ForAll("steps") List<Step> steps) {
    TestFallback world = new TestFallback();
    ModelFallback model = world.model();
    for (Step step : steps) {
      List<FallbackState> needed = all(model).stream().filter(FallbackState::adminNeeded).toList();
      act(world, model, step);
      for (FallbackState was : needed) {
        assertTrue(now(model, was.scope()).adminNeeded(), was.toString());
        assertEquals(Position.CLOSED, gate(world, was.scope()).position, was.toString());
      }
    }
  }

  /** A fault changes its own scope alone, when it is not more than half of the groups'. */
  @Property(tries = 500)
  void nothingBeyondTheScope(@ForAll("steps") List<Step> steps) {
    TestFallback world = new TestFallback();
    ModelFallback model = world.model();
    model.outcomes("c", 200);
    model.outcomes("a", 200);
    for (Step step : steps) {
      // of the groups a alone counts beside c, so the model has only its own faults
      world.events.clear();
      List<FallbackState> before = all(model);
      if (step.what() == 3) {
        act(world, model, step);
        continue;
      }
      act(world, model, step);
      String scope = SCOPES.get(step.scope());
      for (FallbackEvent event : world.events) {
        assertEquals(scope, key(event.group(), event.device()));
        assertEquals("page_prefetch", event.model());
      }
      for (FallbackState was : before) {
        if (!key(was.scope().group(), was.scope().device()).equals(scope)) {
          assertEquals(was, now(model, was.scope()));
        }
      }
    }
  }

  /** The steps come in their order, each once, at their times. */
  @Property(tries = 500)
  void stepsComeInOrder(@ForAll("steps") List<Step> steps) {
    TestFallback world = new TestFallback();
    FallbackMachine machine = world.machine(FallbackScope.ofModel("page_prefetch"));
    for (Step step : steps) {
      switch (step.what()) {
        case 0 -> machine.enter(REASONS.get(step.reason()));
        case 1, 2 -> machine.tried(step.what() == 1);
        default -> world.pass(step.seconds() * 10L, machine::tick);
      }
    }
    world.pass(3600, machine::tick);
    long warnedAt = -1;
    Set<Type> later = Set.of(Type.ESCALATION_CRITICAL, Type.AUTO_DISABLED);
    for (FallbackEvent event : world.events) {
      switch (event.type()) {
        case RECOVERED -> warnedAt = -1;
        case ESCALATION_WARNING -> {
          assertEquals(-1, warnedAt, "warned twice");
          assertEquals(60 * TestFallback.SECOND, event.durationNs());
          warnedAt = event.timestampNs();
        }
        case ESCALATION_CRITICAL, AUTO_DISABLED -> {
          assertTrue(later.contains(event.type()) && warnedAt >= 0, "no warning before");
          long seconds = event.type() == Type.AUTO_DISABLED ? 3600 : 300;
          assertEquals(seconds * TestFallback.SECOND, event.durationNs());
        }
        case ENTERED, RECOVERY_ATTEMPT, ADMIN_RESET -> {
          // at any time
        }
      }
    }
  }

  private static void act(TestFallback world, ModelFallback model, Step step) {
    String scope = SCOPES.get(step.scope());
    switch (step.what()) {
      case 0 -> enter(model, scope, REASONS.get(step.reason()));
      case 1, 2 -> call(world, model, scope, step.what() == 1);
      default -> world.pass(step.seconds(), model::tick);
    }
  }

  private static void enter(ModelFallback model, String scope, FallbackReason reason) {
    if (scope.isEmpty()) {
      model.enter(reason);
    } else if (scope.startsWith("device ")) {
      model.enterDevice(scope.substring("device ".length()), reason);
    } else {
      model.enterGroup(scope, reason);
    }
  }

  /** A call that takes the retry, if one is offered. */
  private static void call(TestFallback world, ModelFallback model, String scope, boolean good) {
    TestFallback.Gate gate = world.gate(scope);
    if (gate.position != Position.TRIAL) {
      return;
    }
    gate.close();
    if (scope.isEmpty()) {
      model.tried(good);
    } else if (scope.startsWith("device ")) {
      model.triedDevice(scope.substring("device ".length()), good);
    } else {
      model.tried(scope, good);
    }
  }

  private static List<FallbackState> all(ModelFallback model) {
    return List.of(model.state(), model.state("a"), model.state("b"));
  }

  private static FallbackState now(ModelFallback model, FallbackScope scope) {
    return scope.isGroup() ? model.state(scope.group()) : model.state();
  }

  private static TestFallback.Gate gate(TestFallback world, FallbackScope scope) {
    return world.gate(scope.group());
  }

  private static String key(String group, String device) {
    return device.isEmpty() ? group : "device " + device;
  }
}
