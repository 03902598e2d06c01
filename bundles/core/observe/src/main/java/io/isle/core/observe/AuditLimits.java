package io.isle.core.observe;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.time.Duration;
import java.util.List;

/**
 * Values of PID {@code io.isle.audit}.
 *
 * @param retention files whose last record is older go; 1 to 3650 days
 * @param maxFileBytes size from which a new file begins; 4 KiB to 1 GiB
 * @param maxTotalBytes the oldest files go beyond it, whatever their age; 64 KiB to 1 TiB
 * @param perSecond events a second of one tenant or user; 1 to 10000
 */
record AuditLimits(Duration retention, long maxFileBytes, long maxTotalBytes, int perSecond) {
  static final String PID = "io.isle.audit";

  private static final Setting RETENTION_DAYS =
      Setting.integer(
          "retention_days",
          1,
          3650,
          30,
          "days after which a file is deleted, counted from its last record");
  private static final Setting MAX_FILE_BYTES =
      Setting.bytes(
          "max_file_bytes",
          4 << 10,
          1 << 30,
          8 << 20,
          "size at which a new file begins; a new file also begins each day");
  private static final Setting MAX_TOTAL_BYTES =
      Setting.bytes(
          "max_total_bytes",
          64 << 10,
          1L << 40,
          1 << 30,
          "size of all files beyond which the oldest files are deleted, whatever their age");
  private static final Setting PER_TENANT_PER_S =
      Setting.integer(
          "per_tenant_per_s",
          1,
          10_000,
          10,
          "events a second that are recorded of one tenant or user, with bursts of four times as"
              + " many; further events are only counted");

  @SettingsSchema(pid = PID)
  static final List<Setting> SCHEMA =
      List.of(RETENTION_DAYS, MAX_FILE_BYTES, MAX_TOTAL_BYTES, PER_TENANT_PER_S);

  static final AuditLimits DEFAULT = of(CheckedSettings.defaults(SCHEMA));

  /** What settings of {@link #SCHEMA} say. */
  static AuditLimits of(CheckedSettings settings) {
    return new AuditLimits(
        Duration.ofDays(settings.number(RETENTION_DAYS)),
        settings.number(MAX_FILE_BYTES),
        settings.number(MAX_TOTAL_BYTES),
        (int) settings.number(PER_TENANT_PER_S));
  }

  /** Burst that a tenant may save up for: four seconds' worth. */
  int burst() {
    return 4 * perSecond;
  }
}
