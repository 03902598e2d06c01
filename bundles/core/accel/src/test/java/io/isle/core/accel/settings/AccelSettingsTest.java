package io.isle.core.accel.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AccelSettingsTest {
  private final List<String> refused = new ArrayList<>();

  @Test
  void nothingSaidIsTheDefault() {
    AccelSettings settings = AccelSettings.DEFAULT.change(Map.of(), refused::add);
    assertEquals(AccelLimits.DEFAULT, settings.limits());
    assertEquals(10, settings.limits().callbackWarnMs());
    assertEquals(List.of(), refused);
  }

  static List<Setting> schema() {
    return AccelSettings.SCHEMA;
  }

  /** What is in force, by the key that says so. */
  private static Map<String, Object> figures(AccelSettings settings) {
    AccelLimits limits = settings.limits();
    return Map.of(
        "max_in_flight", limits.maxInFlight(),
        "control_timeout_ms", limits.controlTimeoutMs(),
        "hang_grace_ms", limits.hangGraceMs(),
        "detach_grace_ms", limits.detachGraceMs(),
        "callback_warn_ms", limits.callbackWarnMs(),
        "scheduling", settings.scheduling(),
        "fence_domains", settings.fences().domains(),
        "host_wait_ms", settings.fences().hostWaitMs());
  }

  /** Each key changes its own figure and no other; one without a figure has no effect. */
  @ParameterizedTest
  @MethodSource("schema")
  void eachKeyIsOneFigure(Setting setting) {
    String value =
        switch (setting.key()) {
          case "scheduling" -> "sim0 priority 3";
          case "fence_domains" -> "sim0=3";
          default -> Long.toString(setting.max());
        };
    AccelSettings after = AccelSettings.DEFAULT.change(Map.of(setting.key(), value), refused::add);
    assertEquals(List.of(), refused);
    Map<String, Object> before = figures(AccelSettings.DEFAULT);
    List<String> changed =
        figures(after).entrySet().stream()
            .filter(figure -> !figure.getValue().equals(before.get(figure.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    assertEquals(List.of(setting.key()), changed);
  }

  /** The core goes on with what it had, whatever stands in the file. */
  @Test
  void aBadValueIsRefusedWithItsReasonAndTheLastGoodOneStays() {
    AccelSettings before =
        AccelSettings.DEFAULT.change(Map.of("callback_warn_ms", "2"), refused::add);
    AccelSettings after =
        before.change(
            Map.of("callback_warn_ms", "two", "max_in_flight", "0", "hang_grace_ms", "300"),
            refused::add);
    assertEquals(2, after.limits().callbackWarnMs());
    assertEquals(64, after.limits().maxInFlight());
    assertEquals(300, after.limits().hangGraceMs());
    assertEquals(
        List.of(
            "max_in_flight: '0' is not a number from 1 to 1024; 64 stays in force",
            "callback_warn_ms: 'two' is not a number from 0 to 60000; 2 stays in force"),
        refused);
  }

  @Test
  void fenceDomainsAreCheckedAsAList() {
    AccelSettings before =
        AccelSettings.DEFAULT.change(
            Map.of("fence_domains", " soft1=1  opencl0=255 ", "host_wait_ms", "50"), refused::add);
    assertEquals(Map.of("soft1", 1, "opencl0", 255), before.fences().domains());
    assertEquals(1, before.fences().domain("soft1"));
    assertEquals(0, before.fences().domain("soft0"));
    assertEquals(50, before.fences().hostWaitMs());
    assertEquals(List.of(), refused);
    for (String bad :
        List.of("soft1", "soft1=256", "soft1=-1", "soft1=1 soft1=2", "=1", "soft=1", "soft1=1,2")) {
      refused.clear();
      AccelSettings after = before.change(Map.of("fence_domains", bad), refused::add);
      assertEquals(before.fences().domains(), after.fences().domains());
      assertEquals(1, refused.size(), bad);
      String why = refused.getFirst();
      assertTrue(why.startsWith("fence_domains: "), why);
      assertTrue(why.endsWith("stays in force"), why);
    }
    assertEquals(Map.of(), before.change(Map.of(), refused::add).fences().domains());
  }
}
