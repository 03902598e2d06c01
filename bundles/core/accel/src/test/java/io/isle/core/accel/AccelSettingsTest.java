package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccelSettingsTest {
  private final List<String> refused = new ArrayList<>();

  @Test
  void nothingSaidIsTheDefault() {
    AccelSettings settings = AccelSettings.DEFAULT.change(Map.of(), refused::add);
    assertEquals(AccelLimits.DEFAULT, settings.limits());
    assertTrue(settings.spinners() >= 0);
    assertEquals(List.of(), refused);
  }

  /** The core goes on with what it had, whatever stands in the file. */
  @Test
  void aBadValueIsRefusedWithItsReasonAndTheLastGoodOneStays() {
    AccelSettings before = AccelSettings.DEFAULT.change(Map.of("spinners", "2"), refused::add);
    AccelSettings after =
        before.change(
            Map.of("spinners", "two", "max_in_flight", "0", "hang_grace_ms", "300"), refused::add);
    assertEquals(2, after.spinners());
    assertEquals(64, after.limits().maxInFlight());
    assertEquals(300, after.limits().hangGraceMs());
    assertEquals(
        List.of(
            "max_in_flight: '0' is not a number from 1 to 1024; 64 stays in force",
            "spinners: 'two' is not a number from -1 to 1024; 2 stays in force"),
        refused);
  }
}
