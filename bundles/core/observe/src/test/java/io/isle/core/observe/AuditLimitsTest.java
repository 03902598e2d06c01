package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  static List<Setting> schema() {
    return AuditLimits.SCHEMA;
  }

  /** Each key is one part of the limits; one that is none has no effect. */
  @ParameterizedTest
  @MethodSource("schema")
  void eachKeyIsOneLimit(Setting setting) {
    AuditLimits usual = AuditLimits.DEFAULT;
    long most = setting.max();
    AuditLimits expected =
        switch (setting.key()) {
          case "retention_days" ->
              new AuditLimits(
                  Duration.ofDays(most),
                  usual.maxFileBytes(),
                  usual.maxTotalBytes(),
                  usual.perSecond());
          case "max_file_bytes" ->
              new AuditLimits(usual.retention(), most, usual.maxTotalBytes(), usual.perSecond());
          case "max_total_bytes" ->
              new AuditLimits(usual.retention(), usual.maxFileBytes(), most, usual.perSecond());
          case "per_tenant_per_s" ->
              new AuditLimits(
                  usual.retention(), usual.maxFileBytes(), usual.maxTotalBytes(), (int) most);
          default -> throw new AssertionError(setting.key() + " is not tested");
        };
    assertEquals(expected, of(Map.of(setting.key(), Long.toString(most))));
    assertEquals(List.of(), refused);
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
