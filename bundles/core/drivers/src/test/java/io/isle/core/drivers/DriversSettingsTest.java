package io.isle.core.drivers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.Supervision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriversSettingsTest {
  private static final Path BASE = Path.of("/isle");
  private final List<String> refused = new ArrayList<>();

  @Test
  void nothingSaidIsTheDefault() {
    DriversSettings settings = DriversSettings.defaults().change(Map.of(), refused::add);
    assertEquals(DriverTuning.DEFAULT, settings.tuning());
    assertEquals(Path.of("/isle/lib/isle/bin"), settings.runtime(BASE).directory());
    assertEquals(List.of(), refused);
  }

  static List<Setting> schema() {
    return DriversSettings.SCHEMA;
  }

  /** What is in force, by the key that says so. */
  private static Map<String, Object> figures(DriversSettings settings) {
    NativeRuntime runtime = settings.runtime(BASE);
    DriverTuning tuning = settings.tuning();
    Supervision.Limits limits = tuning.supervision();
    return Map.ofEntries(
        Map.entry("native_dir", runtime.directory()),
        Map.entry("spin_us", runtime.spinUs()),
        Map.entry("host_memory_bytes", runtime.sandbox().memoryBytes()),
        Map.entry("host_debug", runtime.sandbox().debug()),
        Map.entry("standby", tuning.standby()),
        Map.entry("signatures", settings.signaturesRequired()),
        Map.entry("drain_ms", tuning.drain()),
        Map.entry("hang_ms", tuning.hang()),
        Map.entry("participant_ms", tuning.participant()),
        Map.entry("recovery_attempts", limits.attempts()),
        Map.entry("backoff_ms", limits.firstDelay()),
        Map.entry("backoff_max_ms", limits.longestDelay()),
        Map.entry("protocol_breaches", limits.breaches()),
        Map.entry("protocol_window_s", limits.window()));
  }

  /** Each key changes its own figure and no other; one without a figure has no effect. */
  @ParameterizedTest
  @MethodSource("schema")
  void eachKeyIsOneFigure(Setting setting) {
    String value =
        switch (setting.type()) {
          case INT, BYTES -> Long.toString(setting.max() - 1);
          case BOOL -> Boolean.toString(setting.defaultValue().equals("false"));
          case STRING -> "elsewhere";
          case ENUM -> setting.choices().getLast();
        };
    DriversSettings defaults = DriversSettings.defaults();
    DriversSettings after = defaults.change(Map.of(setting.key(), value), refused::add);
    assertEquals(List.of(), refused);
    List<String> changed =
        figures(after).entrySet().stream()
            .filter(figure -> !figure.getValue().equals(figures(defaults).get(figure.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    assertEquals(List.of(setting.key()), changed);
  }

  @Test
  void aBadValueIsRefusedAndTheLastGoodOneStays() {
    DriversSettings before =
        DriversSettings.defaults().change(Map.of("hang_ms", "300"), refused::add);
    DriversSettings after =
        before.change(Map.of("hang_ms", "soon", "standby", "false"), refused::add);
    assertEquals(Duration.ofMillis(300), after.tuning().hang());
    assertFalse(after.tuning().standby());
    assertEquals(Map.of("standby", "false"), after.since(before));
    assertEquals(1, refused.size());
    assertTrue(refused.getFirst().startsWith("hang_ms: 'soon' is not"), refused.toString());
    assertTrue(refused.getFirst().endsWith("; 300 stays in force"), refused.toString());
  }

  @Test
  void aValueThatIsTakenOutGoesBackToItsDefault() {
    DriversSettings before =
        DriversSettings.defaults().change(Map.of("drain_ms", "1"), refused::add);
    assertEquals(
        DriverTuning.DEFAULT.drain(), before.change(Map.of(), refused::add).tuning().drain());
  }

  @Test
  void onlyWhatHostsAreStartedWithChangesTheRuntime() {
    DriversSettings before = DriversSettings.defaults();
    assertEquals(
        before.runtime(BASE),
        before.change(Map.of("hang_ms", "70", "other", 3), refused::add).runtime(BASE));
    assertNotEquals(
        before.runtime(BASE), before.change(Map.of("spin_us", 1), refused::add).runtime(BASE));
    assertNotEquals(
        before.runtime(BASE),
        before.change(Map.of("host_memory_bytes", "1g"), refused::add).runtime(BASE));
  }

  @Test
  void driversNeedNoSignatureUnlessItIsSaidOrMisspelt() {
    assertFalse(DriversSettings.initial(Map.of(), refused::add).signaturesRequired());
    assertEquals(List.of(), refused);
    DriversSettings misspelt =
        DriversSettings.initial(Map.of("signatures", "requird"), refused::add);
    assertTrue(misspelt.signaturesRequired());
    assertEquals(
        List.of("signatures: 'requird' is not one of off, required; required stays in force"),
        refused);
    DriversSettings off = misspelt.change(Map.of("signatures", "off"), refused::add);
    assertFalse(off.signaturesRequired());
    assertFalse(off.change(Map.of("signatures", "on"), refused::add).signaturesRequired());
    assertEquals(Map.of("signatures", "required"), misspelt.since(off));
  }
}
