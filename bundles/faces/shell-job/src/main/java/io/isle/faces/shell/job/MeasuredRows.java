package io.isle.faces.shell.job;

import io.isle.api.jobs.Measured;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.Locale;

/** What jobs measured, as tables and JSON. */
final class MeasuredRows {
  private MeasuredRows() {}

  /** Promised and measured shares of groups. */
  static Table<Measured.GroupShare> groups() {
    return new Table<Measured.GroupShare>("")
        .column("name", "group", Measured.GroupShare::name, Table::plain)
        .column("promised", "promised", group -> known(group.promised()), MeasuredRows::percent)
        .column("measured", "measured", group -> known(group.measured()), MeasuredRows::percent)
        .column("bytes", "bytes", Measured.GroupShare::bytes, Sizes::bytes)
        .column("cpu_ns", "cpu", group -> time(group.cpuNs()), Sizes::nanos)
        .column("idle_ns", "idle", Measured.GroupShare::idleNs, Sizes::nanos)
        .column("held_bytes", "held", Measured.GroupShare::heldBytes, Sizes::bytes)
        .column("window_ns", "of", Measured.GroupShare::windowNs, Sizes::nanos);
  }

  /** How submissions kept to their period. */
  static Table<Measured.PeriodicTimes> periodic() {
    return new Table<Measured.PeriodicTimes>("")
        .column("stream", Measured.PeriodicTimes::stream)
        .column("step", Measured.PeriodicTimes::step)
        .column("priority", Measured.PeriodicTimes::priority)
        .column("period_ns", "period", Measured.PeriodicTimes::periodNs, Sizes::nanos)
        .column("submissions", Measured.PeriodicTimes::submissions)
        .column("misses", Measured.PeriodicTimes::misses)
        .column("p50_ns", "p50", Measured.PeriodicTimes::p50Ns, Sizes::nanos)
        .column("p99_ns", "p99", Measured.PeriodicTimes::p99Ns, Sizes::nanos)
        .column("max_ns", "max", Measured.PeriodicTimes::maxNs, Sizes::nanos);
  }

  /** Null for what is not known. */
  private static Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static Long time(long ns) {
    return ns < 0 ? null : ns;
  }

  private static String percent(Object value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.2f %%", (Double) value);
  }
}
