package io.isle.net.jobs;

import java.util.BitSet;

/**
 * The numbers of the datagrams on their way. A number is used again by none: the datagram is sent
 * again until its reply has come. One thread at a time.
 */
final class EchoWindow {
  private final int size;
  private final BitSet replied;
  private final BitSet repeated;
  private final long[] sentNs;

  /** Numbers below have their replies. */
  private long low;

  /** The next number to send. */
  private long next;

  /**
   * @param size most datagrams on their way, 1 or more
   */
  EchoWindow(int size) {
    this.size = size;
    replied = new BitSet(size);
    repeated = new BitSet(size);
    sentNs = new long[size];
  }

  private int place(long number) {
    return (int) (number % size);
  }

  boolean hasRoom() {
    return next - low < size;
  }

  /** Whether a reply is due. */
  boolean isDue() {
    return next > low;
  }

  /** The number that {@link #sent} takes next. */
  long next() {
    return next;
  }

  /** Numbers below have their replies. */
  long low() {
    return low;
  }

  /** The datagram {@link #next} was sent. */
  void sent(long nowNs) {
    replied.clear(place(next));
    repeated.clear(place(next));
    sentNs[place(next)] = nowNs;
    next++;
  }

  /**
   * A datagram was sent once more.
   *
   * @return whether for the first time
   */
  boolean resent(long number, long nowNs) {
    sentNs[place(number)] = nowNs;
    boolean again = repeated.get(place(number));
    repeated.set(place(number));
    return !again;
  }

  /** Whether a reply with this number is due. */
  boolean isDue(long number) {
    return number >= low && number < next && !replied.get(place(number));
  }

  /** Takes a reply that is due. */
  void replied(long number) {
    replied.set(place(number));
  }

  /** Whether the oldest number has its reply; then {@link #forward} leaves it behind. */
  boolean isOldestReplied() {
    return low < next && replied.get(place(low));
  }

  /** Leaves the oldest number behind. */
  void forward() {
    low++;
  }

  /** The oldest number without a reply for so long; -1 without one. */
  long overdue(long timeoutNs, long nowNs) {
    for (long number = low; number < next; number++) {
      if (!replied.get(place(number)) && nowNs - sentNs[place(number)] > timeoutNs) {
        return number;
      }
    }
    return -1;
  }
}
