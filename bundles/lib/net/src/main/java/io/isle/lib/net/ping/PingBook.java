package io.isle.lib.net.ping;

import java.util.Arrays;

/** The requests of a client by number, and their answers. One thread at a time. */
final class PingBook {
  private static final long NONE = -1;

  private final long[] sentNs;
  private final int[] lengths;
  private final long[] rttNs;
  private int sent;
  private int answered;
  private long repeated;
  private long wrong;

  /**
   * @param most requests
   */
  PingBook(int most) {
    sentNs = new long[most];
    lengths = new int[most];
    rttNs = new long[most];
    Arrays.fill(rttNs, NONE);
  }

  /** The number of the next request. */
  int next() {
    if (sent == sentNs.length) {
      throw new IllegalStateException("all " + sent + " requests are sent");
    }
    return sent;
  }

  /** The next request leaves. */
  void sent(int bytes, long nowNs) {
    sentNs[sent] = nowNs;
    lengths[sent] = bytes;
    sent++;
  }

  /** Whether a request has this number, and so many bytes. */
  boolean has(int number, int bytes) {
    return number >= 0 && number < sent && lengths[number] == bytes;
  }

  /** A right answer has come. */
  void answered(int number, long nowNs) {
    if (rttNs[number] == NONE) {
      rttNs[number] = nowNs - sentNs[number];
      answered++;
    } else {
      repeated++;
    }
  }

  /** An answer has come that is not right. */
  void wrong() {
    wrong++;
  }

  /** Time from a request to its first right answer; -1 without one. */
  long rttNs(int number) {
    return rttNs[number];
  }

  PingTally tally() {
    return new PingTally(sent, answered, sent - answered, repeated, wrong);
  }
}
