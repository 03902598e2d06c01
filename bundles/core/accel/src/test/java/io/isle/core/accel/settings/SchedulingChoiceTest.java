package io.isle.core.accel.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.accel.sched.SchedulingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an administrator sets of devices' scheduling. */
class SchedulingChoiceTest {
  @Test
  void devicesPoliciesAndDepthsAreRead() {
    assertEquals(
        Map.of(
            "soft0",
            new SchedulingChoice(Optional.of(SchedulingPolicy.ROUND_ROBIN), Optional.empty()),
            "opencl12",
            new SchedulingChoice(Optional.of(SchedulingPolicy.GUARANTEED), Optional.of(4)),
            "sim0",
            new SchedulingChoice(Optional.empty(), Optional.of(1024))),
        SchedulingChoice.parse(
            "soft0 round_robin,  opencl12   guaranteed 4 ,sim0 auto 1024", 1024));
    assertEquals(Map.of(), SchedulingChoice.parse(" ", 1024));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "soft0 | 'soft0' is not DEVICE POLICY [DEPTH], such as: soft0 priority 8",
        "soft0 fast | 'fast' is not auto, round_robin, priority or guaranteed",
        "soft0 priority 0 | soft0: a depth of 0 is not in 1..1024",
        "soft0 priority 1025 | soft0: a depth of 1025 is not in 1..1024",
        "soft0 priority, soft0 auto | soft0 is listed twice",
        "soft0 priority, | '' is not DEVICE POLICY [DEPTH], such as: soft0 priority 8",
        "soft0 priority 99999 | 'soft0 priority 99999' is not DEVICE POLICY [DEPTH], such as: soft0"
            + " priority 8",
      })
  void mistakesAreNamed(String text, String why) {
    assertEquals(
        why,
        assertThrows(IllegalArgumentException.class, () -> SchedulingChoice.parse(text, 1024))
            .getMessage());
  }

  @Test
  void whatIsWrongIsShownCutAndClean() {
    String text = " soft0\u001b[2J " + "x".repeat(100_000);
    assertEquals(
        "'soft0?[2J "
            + "x".repeat(50)
            + "...' is not DEVICE POLICY [DEPTH], such as: soft0"
            + " priority 8",
        assertThrows(IllegalArgumentException.class, () -> SchedulingChoice.parse(text, 1024))
            .getMessage());
  }

  @Test
  void aBadSettingLeavesTheOneBefore() {
    List<String> refused = new ArrayList<>();
    AccelSettings good =
        AccelSettings.DEFAULT.change(Map.of("scheduling", "soft0 priority"), refused::add);
    AccelSettings bad = good.change(Map.of("scheduling", "soft0 never"), refused::add);
    assertEquals(good.scheduling(), bad.scheduling());
    assertEquals(1, refused.size());
    assertTrue(refused.getFirst().startsWith("scheduling: 'never' is not "), refused.getFirst());
    assertEquals(Map.of(), bad.change(Map.of(), refused::add).scheduling());
  }
}
