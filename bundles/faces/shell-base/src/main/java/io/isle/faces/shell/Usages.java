package io.isle.faces.shell;

import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import java.util.Locale;
import java.util.function.Function;

/** Columns of what was promised of devices and what was given. */
public final class Usages {
  private Usages() {}

  /**
   * Adds to JSON what tables of contexts do not have otherwise: promise, given share, waits,
   * limits.
   *
   * @param usageOf null where nobody counts
   */
  public static <T> Table<T> fields(Table<T> table, Function<T, Usage> usageOf) {
    return table
        .jsonOnly("promised_percent", of(usageOf, Usage::promisedPercent))
        .jsonOnly("given_percent", of(usageOf, Usage::givenPercent))
        .jsonOnly("window_ns", of(usageOf, Usage::windowNs))
        .jsonOnly("given_ns", of(usageOf, Usage::givenNs))
        .jsonOnly("wait_p50_ns", of(usageOf, Usage::waitP50Ns))
        .jsonOnly("wait_p99_ns", of(usageOf, Usage::waitP99Ns))
        .jsonOnly("memory_peak_bytes", of(usageOf, Usage::memoryPeakBytes))
        .jsonOnly("preemptions", of(usageOf, Usage::preemptions))
        .jsonOnly("overruns", of(usageOf, Usage::overruns))
        .jsonOnly("throttled_ns", of(usageOf, Usage::throttledNs));
  }

  /** Groups on devices, all of {@link Usage}. */
  public static Table<GroupUsage> groups() {
    return rest(started().column("device", GroupUsage::device));
  }

  /** The same of one device, which has no column. */
  public static Table<GroupUsage> ofDevice() {
    return rest(started());
  }

  private static Table<GroupUsage> started() {
    return new Table<GroupUsage>("No use of devices and no guarantees to show.")
        .column("group", GroupUsage::group);
  }

  private static Table<GroupUsage> rest(Table<GroupUsage> table) {
    return fields(
            table
                .column("contexts", GroupUsage::contexts)
                .jsonOnly(
                    "promised_by", row -> row.promisedBy().isEmpty() ? null : row.promisedBy())
                .column("pending", row -> row.usage().pending())
                .jsonOnly("in_flight", row -> row.usage().inFlight())
                .jsonOnly("submitted", row -> row.usage().submitted())
                .jsonOnly("busy_ns", row -> row.usage().busyNs())
                .column("memory_bytes", "memory", row -> row.usage().memoryBytes(), Sizes::bytes),
            GroupUsage::usage)
        .shownOnly("promised %", row -> share(row.usage().promisedPercent()))
        .shownOnly("given %", row -> share(row.usage().givenPercent()))
        .shownOnly("wait p99", row -> wait(row.usage()));
  }

  /** How long 99 of 100 waited at most, for people. */
  public static String wait(Usage usage) {
    return usage == null || usage.waitP99Ns() == 0 ? "-" : Sizes.nanos(usage.waitP99Ns());
  }

  /** A share in percent, for people. */
  public static String share(double percent) {
    return String.format(Locale.ROOT, "%.1f", percent);
  }

  private static <T> Function<T, Object> of(
      Function<T, Usage> usageOf, Function<Usage, Object> field) {
    return row -> {
      Usage usage = usageOf.apply(row);
      return usage == null ? null : field.apply(usage);
    };
  }
}
