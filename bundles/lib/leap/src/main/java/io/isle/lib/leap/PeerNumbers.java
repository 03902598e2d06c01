package io.isle.lib.leap;

/** Maps the sequences of a peer, since it started or restarted, to numbers that only rise. */
final class PeerNumbers {
  private boolean known;
  private long start;
  private int sequence;
  private long since;
  private int sequenceBefore = -1;

  boolean isKnown() {
    return known;
  }

  /** The peer's first number. */
  long start() {
    return start;
  }

  /** When the peer's first datagram arrived. */
  long since() {
    return since;
  }

  int sequence(long number) {
    return Sequence.plus(sequence, number - start);
  }

  void forget() {
    known = false;
  }

  /**
   * A peer begins.
   *
   * @param start its first number
   * @param sequence the sequence of that number
   */
  void begin(long start, int sequence, long now) {
    sequenceBefore = known ? sequence(start - 1) : -1;
    known = true;
    this.start = start;
    this.sequence = sequence;
    since = now;
  }

  /** Whether a far sequence is a late one of the peer before its restart. */
  boolean isOfPeerBefore(int far, long now) {
    return sequenceBefore >= 0
        && now - since <= Reassembly.AGAIN_NS
        && Math.abs(Sequence.distance(sequenceBefore, far)) <= Reassembly.NEAR;
  }
}
