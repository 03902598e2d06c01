package io.isle.faces.shell.ring.bench;

import io.isle.lib.drive.DriveResult;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a ring.
 *
 * @param node the master
 * @param packetBytes bytes of a packet
 * @param hops hops of a round trip; 0 if not known
 * @param roundTrips in nanoseconds, one packet at a time
 * @param lost packets of round trips without a reply
 * @param window packets on their way for the throughput
 * @param flow the packets of the throughput
 */
public record BenchResult(
    String node,
    int packetBytes,
    int hops,
    Histogram roundTrips,
    long lost,
    int window,
    DriveResult flow) {
  /** Shares of round trips whose times are shown, in percent. */
  public static final List<Double> PERCENTILES = List.of(0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0);

  /**
   * A point of the curve.
   *
   * @param percent share of the round trips that took this time at most
   * @param hopNs null if the number of hops is not known
   */
  public record Point(double percent, long roundTripNs, Double hopNs) {}

  /** The times at {@link #PERCENTILES}. */
  public List<Point> points() {
    return PERCENTILES.stream().map(this::point).toList();
  }

  Point point(double percent) {
    long ns = roundTrips.getValueAtPercentile(percent);
    return new Point(percent, ns, hops == 0 ? null : (double) ns / hops);
  }

  /** Packets that came round, a second. */
  public double packetsPerSecond() {
    return flow.replies() * 1e9 / Math.max(1, flow.elapsedNs());
  }

  /** Bytes of packets that came round, a second. */
  public double bytesPerSecond() {
    return packetsPerSecond() * packetBytes;
  }
}
