package io.isle.lib.leap;

/** Counters of a reassembly since its begin. Written by its thread; readers see older values. */
public final class ReassemblyCounters {
  long frames;
  long lost;
  long restarts;
  long wrongSource;
  private final long[] arrivals = new long[Arrival.values().length];

  ReassemblyCounters() {}

  void count(Arrival arrival) {
    arrivals[arrival.ordinal()]++;
  }

  /** Frames that became complete. */
  public long frames() {
    return frames;
  }

  /** Frames that were given up. */
  public long lost() {
    return lost;
  }

  /** Restarts of the peer, known by its numbers. */
  public long restarts() {
    return restarts;
  }

  /** Datagrams of a source that is not the peer, see {@link Reassembly#countWrongSource}. */
  public long wrongSource() {
    return wrongSource;
  }

  /** Datagrams with this result. */
  public long of(Arrival arrival) {
    return arrivals[arrival.ordinal()];
  }
}
