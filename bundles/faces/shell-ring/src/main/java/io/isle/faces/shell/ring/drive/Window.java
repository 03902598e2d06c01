package io.isle.faces.shell.ring.drive;

import io.isle.api.fabric.RingLoss;
import io.isle.faces.shell.ring.drive.Loss.Cause;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Packets on their way round the ring, between one sender and one receiver. Replies come in the
 * order of their packets: a reply tells that those of earlier packets are lost. A lost reply that
 * comes nevertheless is taken. Indices are those of packets with a requested reply, from 0.
 * Thread-safe.
 */
final class Window {
  private final int size;
  private final Positions positions;
  private final long noReply;
  private final Consumer<Loss> losses;

  /** Lost and not come later; bits are indices. */
  private final BitSet lost = new BitSet();

  /** The oldest packet without reply that is not lost. */
  private long low;

  /** Behind the newest packet that is being sent, and behind the newest that has been sent. */
  private long high;

  private long sent;
  private long late;

  /** When the oldest packet was sent, or the newest reply came, whichever is later. */
  private long quietNs;

  private boolean stopped;

  /**
   * @param size most packets on their way, 1 or more; more than there are positions are not used
   * @param positions of all packets
   * @param noReply number of packets without a requested reply, the first ones
   * @param losses receives each loss, on the thread of the call that notices it
   */
  Window(int size, Positions positions, long noReply, Consumer<Loss> losses) {
    this.size = (int) Math.min(size, positions.count());
    this.positions = positions;
    this.noReply = noReply;
    this.losses = losses;
  }

  /**
   * Waits for room for one more packet and counts it as on its way.
   *
   * @return false after {@link #stop}
   */
  synchronized boolean begin() throws InterruptedException {
    while (!stopped && high - low >= size) {
      wait();
    }
    if (!stopped) {
      high++;
    }
    return !stopped;
  }

  /** The packet of the last {@link #begin} is sent. */
  synchronized void sent(long nowNs) {
    if (sent <= low) {
      quietNs = nowNs;
    }
    sent = high;
  }

  /**
   * A reply has arrived.
   *
   * @return index of its packet; -1 if no such reply is due
   */
  synchronized long replied(int position, long nowNs) {
    long index = positions.indexFrom(noReply + low, position) - noReply;
    if (index >= low && index < high) {
      lose(low, index, Cause.OVERTAKEN, Optional.empty());
      low = index + 1;
      quietNs = nowNs;
      notifyAll();
      return index;
    }
    index = positions.indexBelow(noReply + low, position) - noReply;
    if (index < 0 || !lost.get((int) index)) {
      return -1;
    }
    lost.clear((int) index);
    late++;
    return index;
  }

  /**
   * The link has lost a packet in this place: the oldest that is due.
   *
   * @return false if none is due
   */
  synchronized boolean lost(Optional<RingLoss> frame, long nowNs) {
    if (low == high) {
      return false;
    }
    lose(low, low + 1, Cause.LINK, frame);
    low++;
    quietNs = nowNs;
    notifyAll();
    return true;
  }

  /** Gives up the replies of all packets that are sent if none came for a time. */
  synchronized void expire(long timeoutNs, long nowNs) {
    if (sent > low && nowNs - quietNs > timeoutNs) {
      lose(low, sent, Cause.SILENCE, Optional.empty());
      low = sent;
      notifyAll();
    }
  }

  private void lose(long from, long to, Cause cause, Optional<RingLoss> frame) {
    for (long i = from; i < to; i++) {
      lost.set((int) i);
      losses.accept(new Loss(noReply + i, positions.at(noReply + i), cause, frame));
    }
  }

  /** No further packet begins; the sender wakes up. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  /** Whether {@link #stop} was called. */
  synchronized boolean isStopped() {
    return stopped;
  }

  /** Whether no packet is on its way. */
  synchronized boolean isEmpty() {
    return low == high;
  }

  /** Number of replies that came after they were given up. */
  synchronized long late() {
    return late;
  }

  /** The lost replies; a copy. */
  synchronized BitSet lost() {
    return (BitSet) lost.clone();
  }
}
