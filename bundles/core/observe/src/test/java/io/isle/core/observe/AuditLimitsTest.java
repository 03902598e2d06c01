package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.driver.CheckedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditLimitsTest {
  private static final CheckedSettings DEFAULTS = CheckedSettings.defaults(AuditLimits.SCHEMA);

  private final List<String> refused = new ArrayList<>();

  private AuditLimits of(Map<String, String> properties) {
    return AuditLimits.of(DEFAULTS.change(properties, refused::add));
  }

  @Test
  void missingKeysHaveTheirDefaults() {
    assertEquals(new AuditLimits(Duration.ofDays(30), 8L << 20, 1L << 30, 10), of(Map.of()));
    assertEquals(40, of(Map.of()).burst());
  }

  @Test
  void sizesHaveUnitsAndRangesHaveBounds() {
    AuditLimits limits =
        of(Map.of("max_file_bytes", " 16K ", "retention_days", "0", "max_total_bytes", "1024g"));
    assertEquals(new AuditLimits(Duration.ofDays(30), 16 << 10, 1L << 40, 10), limits);
    assertEquals(
        List.of("retention_days: '0' is not a number from 1 to 3650; 30 stays in force"), refused);
  }
}
