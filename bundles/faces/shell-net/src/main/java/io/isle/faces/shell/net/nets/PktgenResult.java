package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetCounter;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Sizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of generated frames.
 *
 * @param generated frames that the app has published
 * @param sent frames that the kernel got
 * @param elapsedNs from the first to the last frame
 * @param dropped frames by reason
 * @param backpressured cycles that had no room for a frame
 * @param missed frames that the rate gave up
 */
record PktgenResult(
    long generated,
    long sent,
    long elapsedNs,
    Map<String, Long> dropped,
    long backpressured,
    long missed) {
  private static final Set<String> NO_DROPS = Set.of("seen", "passed", "skipped");

  /** Reads the counters of an app. */
  static PktgenResult of(List<NetCounter> counters, String app) {
    Map<String, Long> kind = sums(counters, app, "kind");
    Map<String, Long> links = sums(counters, app, "app_tx");
    Map<String, Long> dropped = new LinkedHashMap<>(links);
    boolean ignored =
        dropped.entrySet().removeIf(one -> NO_DROPS.contains(one.getKey()) || one.getValue() == 0);
    return new PktgenResult(
        kind.getOrDefault("sent", 0L),
        links.getOrDefault("passed", 0L),
        kind.getOrDefault("elapsed_ns", 0L),
        dropped,
        kind.getOrDefault("backpressured", 0L),
        kind.getOrDefault("missed", 0L));
  }

  /** Over all tiles. */
  private static Map<String, Long> sums(List<NetCounter> counters, String app, String group) {
    return counters.stream()
        .filter(one -> one.app().equals(app) && one.group().equals(group))
        .collect(
            Collectors.toMap(NetCounter::name, NetCounter::value, Long::sum, LinkedHashMap::new));
  }

  /** Whether the tiles have looked at each generated frame. */
  boolean isSettled() {
    return sent + dropped.values().stream().mapToLong(Long::longValue).sum() >= generated;
  }

  private double rate() {
    return elapsedNs == 0 ? 0 : sent * 1e9 / elapsedNs;
  }

  /** In a line, also while frames are sent. */
  String line() {
    return String.format(
        Locale.ROOT, "%d frames sent, %s, %.0f/s", sent, Sizes.nanos(elapsedNs), rate());
  }

  void print(Output output) {
    if (output.json()) {
      output.document(document());
      return;
    }
    output.line(line());
    dropped.forEach((reason, frames) -> output.line(frames + " dropped: " + reason));
    if (missed != 0) {
      output.line(missed + " missed: the tile is slower than the rate");
    }
  }

  private Map<String, Object> document() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("sent", sent);
    all.put("elapsed_ns", elapsedNs);
    all.put("rate", rate());
    all.put("dropped", dropped);
    all.put("backpressured", backpressured);
    all.put("missed", missed);
    return all;
  }
}
