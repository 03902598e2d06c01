package io.isle.core.accel.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class FenceSettingsTest {
  @Test
  void whatIsNoDomainIsShownCutAndClean() {
    assertEquals(
        "'soft0?[2J=1' is not DEVICE=DOMAIN with a domain from 0 to 255",
        why("soft1=1 soft0\u001b[2J=1"));
    assertEquals(
        "'" + "x".repeat(60) + "...' is not DEVICE=DOMAIN with a domain from 0 to 255",
        why("x".repeat(100_000)));
  }

  private static String why(String text) {
    return assertThrows(IllegalArgumentException.class, () -> FenceSettings.domains(text))
        .getMessage();
  }
}
