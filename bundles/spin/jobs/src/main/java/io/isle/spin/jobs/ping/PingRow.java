package io.isle.spin.jobs.ping;

import io.isle.lib.net.ping.PingTally;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.util.Arrays;

/**
 * What a step has measured of one size. Immutable.
 *
 * @param number of the size in the step, from 1
 * @param runs in which an answer came
 * @param rtt of the runs' medians, in nanoseconds
 */
record PingRow(
    PingProtocol protocol,
    PingMode mode,
    int number,
    int bytes,
    int runs,
    MedianInterval rtt,
    PingTally tally) {
  /**
   * A row of runs.
   *
   * @param medians of the runs; not a number where no answer came
   */
  static PingRow of(
      PingProtocol protocol,
      PingMode mode,
      int number,
      int bytes,
      double[] medians,
      PingTally tally) {
    double[] known = Arrays.stream(medians).filter(one -> !Double.isNaN(one)).toArray();
    return new PingRow(
        protocol, mode, number, bytes, known.length, MedianInterval.of(known), tally);
  }

  /** Begin of the names of its measures. */
  String prefix() {
    return prefix(protocol, mode, number);
  }

  static String prefix(PingProtocol protocol, PingMode mode, int number) {
    return protocol.text() + "_" + mode.text() + "_" + number;
  }
}
