package io.isle.fabric.jobs;

import io.isle.api.fabric.NodeFailure;
import io.isle.lib.drive.DriveResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a step measured. Immutable.
 *
 * @param result of the drive
 * @param losses packets without a reply at first
 * @param wrong replies that differ from the results of the CPU; -1 if they were not compared
 * @param bytes payload of the replies
 * @param beginNs begin of the step, CLOCK_MONOTONIC
 * @param failures of nodes that were reported at the master during the step, oldest first
 * @param faults that the job has brought about during the step, oldest first
 */
record RingMeasures(
    DriveResult result,
    long losses,
    long wrong,
    long bytes,
    long beginNs,
    List<NodeFailure> failures,
    List<FaultMoment> faults) {
  static final Set<String> NAMES =
      Set.of("frames", "lost", "resent", "wrong", "gap_ns", "detection_ns", "failures", "mb_per_s");

  RingMeasures {
    failures = List.copyOf(failures);
    faults = List.copyOf(faults);
  }

  /** By the names of {@link #NAMES}; without those that are not known. */
  Map<String, Double> values() {
    Map<String, Double> values = new HashMap<>();
    values.put("frames", (double) result.replies());
    values.put("lost", (double) losses);
    values.put("resent", (double) result.resent());
    values.put("gap_ns", (double) result.gapNs());
    values.put("failures", (double) failures.size());
    values.put("mb_per_s", megabytes());
    if (wrong >= 0) {
      values.put("wrong", (double) wrong);
    }
    detectionNs().ifPresent(ns -> values.put("detection_ns", (double) ns));
    return values;
  }

  private double megabytes() {
    return bytes * 1e3 / Math.max(1, result.elapsedNs());
  }

  /** The report of a fault: the first one of its nodes behind the fault. */
  private OptionalLong reportNs(FaultMoment fault) {
    return fault.nodes().stream().flatMapToLong(node -> reportNs(fault, node).stream()).min();
  }

  private OptionalLong reportNs(FaultMoment fault, String node) {
    return failures.stream()
        .filter(failure -> failure.node().equals(node) && fault.nodes().contains(node))
        .mapToLong(NodeFailure::detectedNs)
        .filter(ns -> ns - fault.ns() >= 0)
        .min();
  }

  private static OptionalLong reported(NodeFailure failure) {
    return OptionalLong.of(failure.detectedNs());
  }

  /**
   * The longest time from a fault to its report at the master; empty without a fault, or if a fault
   * was not reported.
   */
  private OptionalLong detectionNs() {
    long longest = -1;
    for (FaultMoment fault : faults) {
      OptionalLong report = reportNs(fault);
      if (report.isEmpty()) {
        return OptionalLong.empty();
      }
      longest = Math.max(longest, report.getAsLong() - fault.ns());
    }
    return longest < 0 ? OptionalLong.empty() : OptionalLong.of(longest);
  }

  /** The result as a table: the packets, then a line for each failure. */
  List<String> table(String ring) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "ring %s: %d frames, %.2f MB/s, longest gap %.1f ms, %d lost, %d sent again%s",
            ring,
            result.replies(),
            megabytes(),
            result.gapNs() / 1e6,
            losses,
            result.resent(),
            wrong < 0 ? "" : ", " + wrong + " wrong"));
    if (!failures.isEmpty()) {
      lines.add(row("failed", "cause", "detected at", "after the fault", "reported by"));
      failures.forEach(failure -> lines.add(line(failure)));
    }
    return lines;
  }

  private String line(NodeFailure failure) {
    OptionalLong since =
        faults.stream()
            .filter(fault -> reportNs(fault, failure.node()).equals(reported(failure)))
            .mapToLong(fault -> failure.detectedNs() - fault.ns())
            .min();
    return row(
        failure.node(),
        failure.cause().text(),
        String.format(Locale.ROOT, "%.3f s", (failure.detectedNs() - beginNs) / 1e9),
        since.isEmpty() ? "-" : String.format(Locale.ROOT, "%.1f ms", since.getAsLong() / 1e6),
        String.join(" ", failure.reporters()));
  }

  private static String row(String node, String cause, String at, String after, String by) {
    return String.format(Locale.ROOT, "%-16s %-8s %-12s %-16s %s", node, cause, at, after, by)
        .stripTrailing();
  }
}
