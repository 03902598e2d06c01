package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditLimitsTest {
  private static final AuditLimits LAST = new AuditLimits(Duration.ofDays(7), 5000, 70_000, 3);

  @Test
  void missingKeysHaveTheirDefaults() {
    assertEquals(
        new AuditLimits.Checked(AuditLimits.DEFAULT, List.of()), AuditLimits.of(Map.of(), LAST));
  }

  @Test
  void sizesHaveUnitsAndRangesHaveBounds() {
    AuditLimits.Checked checked =
        AuditLimits.of(
            Map.of("max_file_bytes", " 16K ", "retention_days", "0", "per_tenant_per_s", "99999"),
            LAST);
    assertEquals(16 << 10, checked.limits().maxFileBytes());
    assertEquals(Duration.ofDays(1), checked.limits().retention());
    assertEquals(10_000, checked.limits().perSecond());
    assertEquals(2, checked.complaints().size());
  }

  @Test
  void whatIsNoNumberIsRefusedAndTheLastGoodOneStays() {
    for (String bad :
        List.of("", "k", "ten", "1e3", "99999999999999999999", "9223372036854775807g")) {
      AuditLimits.Checked checked = AuditLimits.of(Map.of("max_file_bytes", bad), LAST);
      assertEquals(LAST.maxFileBytes(), checked.limits().maxFileBytes(), bad);
      assertTrue(checked.complaints().getFirst().contains("max_file_bytes"), bad);
    }
  }
}
