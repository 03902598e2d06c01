package io.isle.sim;

/** A share that was promised, on the average over time. */
final class Promise {
  private double share;
  private long sinceNs;
  private double sum;

  /** From now on; 0 for none. */
  void set(double now, long atNs) {
    sum += share * (atNs - sinceNs);
    share = now;
    sinceNs = atNs;
  }

  /** On the average from 0 until then. */
  double average(long untilNs) {
    return (sum + share * (untilNs - sinceNs)) / untilNs;
  }
}
