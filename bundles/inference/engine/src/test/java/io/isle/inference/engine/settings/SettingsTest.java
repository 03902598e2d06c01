package io.isle.inference.engine.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.inference.engine.decide.CallLimits;
import io.isle.inference.engine.decide.Mode;
import io.isle.inference.engine.fallback.FallbackTimes;
import io.isle.inference.engine.fallback.GroupLimits;
import io.isle.inference.engine.score.DriftLimits;
import io.isle.inference.engine.score.WindowLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private final List<String> refused = new ArrayList<>();

  @Test
  void theDefaultsAreThoseOfTheMachines() {
    assertEquals(FallbackTimes.DEFAULT, EngineSettings.DEFAULT.times());
    assertEquals(DriftLimits.DEFAULT, EngineSettings.DEFAULT.drift(SlotSettings.DEFAULT));
    assertEquals(GroupLimits.DEFAULT, EngineSettings.DEFAULT.groups());
    assertEquals(CallLimits.DEFAULT, EngineSettings.DEFAULT.calls());
    assertEquals(WindowLimits.DEFAULT, EngineSettings.DEFAULT.window());
    assertFalse(EngineSettings.DEFAULT.allowUnsigned());
    assertEquals(Mode.ACTIVE, SlotSettings.DEFAULT.mode());
    assertTrue(SlotSettings.DEFAULT.autoDisable());
  }

  @Test
  void timesOutOfOrderStayAsTheyWere() {
    EngineSettings before =
        EngineSettings.DEFAULT.change(Map.of("escalation_s", "400"), refused::add);
    EngineSettings after =
        before.change(Map.of("escalation_s", "50", "scoring_ms", "20"), refused::add);
    assertEquals(1, refused.size());
    assertTrue(refused.getFirst().contains("escalation"), refused.toString());
    assertEquals(before.times(), after.times());
    assertEquals(20, after.scoringMs());
  }

  @ParameterizedTest
  @CsvSource({
    "accuracy_threshold, 1.5",
    "accuracy_threshold, -0.1",
    "accuracy_threshold, 0x1p-1",
    "accuracy_threshold, NaN",
    "min_advantage, -1.01",
    "min_advantage, ''",
    "mode, on",
    "budget_ns, 1000001",
    "auto_disable, 1"
  })
  void aBadValueLeavesTheLastGoodOne(String key, String value) {
    SlotSettings good =
        SlotSettings.DEFAULT.change(
            Map.of("accuracy_threshold", "0.7", "min_advantage", "0", "budget_ns", "900"),
            refused::add);
    assertEquals(List.of(), refused);
    SlotSettings after = good.change(with(key, value), refused::add);
    assertEquals(1, refused.size());
    assertTrue(refused.getFirst().startsWith(key + ": "), refused.toString());
    assertEquals(good.mode(), after.mode());
    assertEquals(0.7, after.accuracyThreshold());
    assertEquals(0.0, after.minAdvantage());
    assertEquals(900, after.budgetNs(5000));
    assertTrue(after.autoDisable());
  }

  @ParameterizedTest
  @CsvSource({
    "warm_up_calls, 0",
    "keys_ms, 99",
    "reload_s, 0",
    "retries, 0",
    "invalid_outputs, 0",
    "distribution_calls, 15",
    "outside_percent, 100",
    "mean_stddevs, 17",
    "variance_times, 1",
    "group_outcomes, 0",
    "group_percent, 100",
    "window_s, 601",
    "window_outcomes, 10001",
    "correct_score, 1001",
    "look_s, 0",
    "looks, 101"
  })
  void aLimitOutOfItsRangeIsRefused(String key, String value) {
    EngineSettings after = EngineSettings.DEFAULT.change(Map.of(key, value), refused::add);
    assertEquals(1, refused.size());
    assertTrue(refused.getFirst().startsWith(key + ": "), refused.toString());
    assertEquals(EngineSettings.DEFAULT.window(), after.window());
    assertEquals(EngineSettings.DEFAULT.calls(), after.calls());
    assertEquals(EngineSettings.DEFAULT.groups(), after.groups());
    assertEquals(EngineSettings.DEFAULT.times(), after.times());
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> all = new HashMap<>();
    all.put("accuracy_threshold", "0.7");
    all.put("min_advantage", "0");
    all.put("budget_ns", "900");
    all.put(key, value);
    return all;
  }
}
