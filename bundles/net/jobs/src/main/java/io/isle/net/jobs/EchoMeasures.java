package io.isle.net.jobs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a step measured. Immutable.
 *
 * @param frames datagrams that came back
 * @param bytes payload of these datagrams
 * @param elapsedNs from the first datagram to the last reply
 * @param lost datagrams without a reply at first
 * @param resent how often a datagram was sent again
 * @param wrong datagrams that came back changed
 * @param gapNs longest time between two replies while a reply was due
 * @param events what happened to the tiles meanwhile, oldest first
 * @param losses frames that were dropped, by reason
 * @param capture the frames of the capture; empty without one
 */
record EchoMeasures(
    long frames,
    long bytes,
    long elapsedNs,
    long lost,
    long resent,
    long wrong,
    long gapNs,
    List<Happened> events,
    Losses losses,
    Optional<CaptureCheck> capture) {
  static final Set<String> NAMES = names();

  EchoMeasures {
    events = List.copyOf(events);
  }

  /**
   * An event as a step saw it.
   *
   * @param name such as {@code update}
   * @param atNs since the begin of the step
   * @param forNs duration of the event
   * @param gapNs longest gap that touches the event
   */
  record Happened(String name, long atNs, long forNs, long gapNs) {}

  private static Set<String> names() {
    Set<String> names =
        new LinkedHashSet<>(
            List.of(
                "frames",
                "frames_per_s",
                "mb_per_s",
                "lost",
                "resent",
                "wrong",
                "gap_ns",
                "updates",
                "update_gap_ns",
                "kills",
                "kill_gap_ns",
                "dropped",
                "captured",
                "capture_wrong"));
    names.addAll(Losses.NAMES);
    return names;
  }

  /** By the names of {@link #NAMES}; without those that are not known. */
  Map<String, Double> values() {
    Map<String, Double> values = new HashMap<>();
    values.put("frames", (double) frames);
    values.put("frames_per_s", perSecond(frames));
    values.put("mb_per_s", perSecond(bytes) / 1e6);
    values.put("lost", (double) lost);
    values.put("resent", (double) resent);
    values.put("wrong", (double) wrong);
    values.put("gap_ns", (double) gapNs);
    event(values, NetEvents.UPDATE);
    event(values, NetEvents.KILL);
    values.put("dropped", (double) losses.total());
    losses.counts().forEach((name, count) -> values.put(name, (double) count));
    values.put("captured", (double) capture.map(CaptureCheck::frames).orElse(0L));
    values.put("capture_wrong", (double) capture.map(CaptureCheck::wrong).orElse(0L));
    return values;
  }

  private void event(Map<String, Double> values, String name) {
    List<Happened> all = events.stream().filter(one -> one.name().equals(name)).toList();
    values.put(name + "s", (double) all.size());
    all.stream()
        .mapToLong(Happened::gapNs)
        .max()
        .ifPresent(ns -> values.put(name + "_gap_ns", (double) ns));
  }

  private double perSecond(long count) {
    return count * 1e9 / Math.max(1, elapsedNs);
  }

  /** The result as a table: the rates, a line for each event, the drops, the capture. */
  List<String> table(String net) {
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "net %s: %d datagrams, %.0f /s, %.2f MB/s, longest gap %.1f ms, %d lost, %d sent again,"
                + " %d wrong",
            net,
            frames,
            perSecond(frames),
            perSecond(bytes) / 1e6,
            gapNs / 1e6,
            lost,
            resent,
            wrong));
    if (!events.isEmpty()) {
      lines.add(row("event", "at", "for", "longest gap"));
      events.forEach(
          one ->
              lines.add(
                  row(
                      one.name(),
                      text("%.3f s", one.atNs() / 1e9),
                      text("%.1f ms", one.forNs() / 1e6),
                      text("%.1f ms", one.gapNs() / 1e6))));
    }
    lines.add("dropped " + losses.total() + (losses.total() == 0 ? "" : ", by reason:"));
    losses
        .counts()
        .forEach(
            (name, count) -> {
              if (count > 0) {
                lines.add(text("%-24s %10d", name, count));
              }
            });
    capture.ifPresent(file -> lines.add(file.text()));
    return lines;
  }

  private static String row(String event, String at, String took, String gap) {
    return text("%-10s %-12s %-12s %s", event, at, took, gap);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
