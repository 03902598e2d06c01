package io.isle.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/**
 * One line of a benchmark's result, as outside checks read it.
 *
 * @param better {@code lower} or {@code higher}
 * @param ours median of our figures
 * @param peer median of the peer's figures; null without a peer
 * @param goal on the ratio with a peer, else in the unit; null when only reported
 * @param n alternated pairs
 * @param spread (p75 - p25) / median of ours
 * @param p99 of ours; null where it is not reported
 */
public record Row(
    String bench,
    String name,
    String unit,
    String better,
    double ours,
    Double peer,
    String peerName,
    Double goal,
    int n,
    double spread,
    Double p99) {

  /** A figure against an absolute goal in its unit, or none. */
  public static Row absolute(
      String bench, String name, String unit, String better, double[] ours, Double goal) {
    return new Row(
        bench,
        name,
        unit,
        better,
        median(ours),
        null,
        null,
        goal,
        ours.length,
        spreadOf(ours),
        null);
  }

  /** A figure against a peer; the goal is on the ratio. */
  public static Row against(
      String bench,
      String name,
      String unit,
      String better,
      double[] ours,
      double[] peer,
      String peerName,
      Double goal) {
    return new Row(
        bench,
        name,
        unit,
        better,
        median(ours),
        median(peer),
        peerName,
        goal,
        ours.length,
        spreadOf(ours),
        null);
  }

  /** The same row with the 99th percentile of {@code ours}, which it was made from. */
  public Row withP99(double[] values) {
    return new Row(
        bench, name, unit, better, ours, peer, peerName, goal, n, spread, quantile(values, 0.99));
  }

  /** The same row without a goal. */
  Row unjudged() {
    return new Row(bench, name, unit, better, ours, peer, peerName, null, n, spread, p99);
  }

  /** How many times better ours is; null without a peer. */
  Double ratio() {
    if (peer == null) {
      return null;
    }
    return better.equals("lower") ? peer / ours : ours / peer;
  }

  /** Whether the goal is met; true without one. */
  boolean holds() {
    if (goal == null) {
      return true;
    }
    if (peer != null) {
      return ratio() >= goal;
    }
    return better.equals("lower") ? ours <= goal : ours >= goal;
  }

  public String json() {
    return "{\"bench\":\"%s\",\"case\":\"%s\",\"unit\":\"%s\",\"better\":\"%s\",\"ours\":%s,\"peer\":%s,\"peer_name\":%s,\"ratio\":%s,\"goal\":%s,\"holds\":%s,\"n\":%d,\"spread\":%s%s}"
        .formatted(
            bench,
            name,
            unit,
            better,
            number(ours),
            number(peer),
            peerName == null ? "null" : "\"" + peerName + "\"",
            number(ratio()),
            number(goal),
            holds(),
            n,
            number(spread),
            p99 == null ? "" : ",\"p99\":" + number(p99));
  }

  private static String number(Double value) {
    return value == null || value.isNaN() || value.isInfinite()
        ? "null"
        : String.format(Locale.ROOT, "%.6g", value);
  }

  public static double median(double[] values) {
    return quantile(values, 0.5);
  }

  private static double spreadOf(double[] values) {
    double median = median(values);
    return median == 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / Math.abs(median);
  }

  /** The value below which so much of them lies, 0 to 1, between two values evenly. */
  public static double quantile(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double at = part * (sorted.length - 1);
    int low = (int) at;
    int high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
  }
}
