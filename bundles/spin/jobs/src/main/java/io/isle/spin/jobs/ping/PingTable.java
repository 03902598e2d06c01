package io.isle.spin.jobs.ping;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows as text. */
final class PingTable {
  private static final String COLUMNS =
      "protocol,mode,bytes,runs,median_ns,low_ns,high_ns,sent,answered,lost,repeated,wrong";

  private PingTable() {}

  /** For the caller of the job. */
  static List<String> lines(List<PingRow> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "%-8s  %-9s  %5s  %9s  %19s  %8s  %5s  %8s  %5s",
            "protocol",
            "mode",
            "bytes",
            "median us",
            "95 % interval us",
            "answered",
            "lost",
            "repeated",
            "wrong"));
    for (PingRow row : rows) {
      String interval = us(row.rtt().low()) + " - " + us(row.rtt().high());
      lines.add(
          text(
              "%-8s  %-9s  %5d  %9s  %19s  %8d  %5d  %8d  %5d",
              row.protocol().text(),
              row.mode().text(),
              row.bytes(),
              us(row.rtt().median()),
              interval,
              row.tally().answered(),
              row.tally().lost(),
              row.tally().repeated(),
              row.tally().wrong()));
    }
    return lines;
  }

  private static String us(double ns) {
    return Double.isNaN(ns) ? "?" : text("%.1f", ns / 1e3);
  }

  /** As a file, with a line of names. */
  static String csv(List<PingRow> rows) {
    StringBuilder csv = new StringBuilder(COLUMNS).append('\n');
    for (PingRow row : rows) {
      csv.append(
          text(
              "%s,%s,%d,%d,%s,%s,%s,%d,%d,%d,%d,%d%n",
              row.protocol().text(),
              row.mode().text(),
              row.bytes(),
              row.runs(),
              ns(row.rtt().median()),
              ns(row.rtt().low()),
              ns(row.rtt().high()),
              row.tally().sent(),
              row.tally().answered(),
              row.tally().lost(),
              row.tally().repeated(),
              row.tally().wrong()));
    }
    return csv.toString();
  }

  private static String ns(double ns) {
    return Double.isNaN(ns) ? "" : text("%.0f", ns);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
