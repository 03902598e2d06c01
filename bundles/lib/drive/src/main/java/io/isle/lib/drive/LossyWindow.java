package io.isle.lib.drive;

import io.isle.lib.drive.Loss.Cause;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lost packets are reported and not sent again. Replies come in the order of their packets: a reply
 * tells that those of earlier packets are lost. A lost reply that comes nevertheless is taken.
 */
final class LossyWindow implements Window {
  private final int size;
  private final Positions positions;
  private final long noReply;
  private final Consumer<Loss> losses;
  private final GapClock gaps = new GapClock();

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
  LossyWindow(int size, Positions positions, long noReply, Consumer<Loss> losses) {
    this.size = (int) Math.min(size, positions.count());
    this.positions = positions;
    this.noReply = noReply;
    this.losses = losses;
  }

  @Override
  public synchronized long begin(BooleanSupplier more) throws InterruptedException {
    while (!stopped && more.getAsBoolean() && high - low >= size) {
      wait();
    }
    return stopped || !more.getAsBoolean() ? NONE : high++;
  }

  @Override
  public synchronized void sent(long index, long nowNs) {
    if (sent <= low) {
      quietNs = nowNs;
    }
    if (index == low) {
      gaps.begin(nowNs);
    }
    sent = index + 1;
  }

  @Override
  public synchronized long replied(int position, long nowNs) {
    long index = positions.indexFrom(noReply + low, position) - noReply;
    if (index >= low && index < high) {
      lose(low, index, Cause.OVERTAKEN, Optional.empty());
      low = index + 1;
      quietNs = nowNs;
      gaps.reply(nowNs, low < high);
      notifyAll();
      return index;
    }
    index = positions.indexBelow(noReply + low, position) - noReply;
    if (index < 0 || !lost.get((int) index)) {
      return NONE;
    }
    lost.clear((int) index);
    late++;
    return index;
  }

  @Override
  public void taken(long index) {
    // a lost packet is not kept, so its place is free already
  }

  @Override
  public synchronized boolean lost(Optional<LostFrame> frame, long nowNs) {
    if (low == high) {
      return false;
    }
    lose(low, low + 1, Cause.LINK, frame);
    low++;
    quietNs = nowNs;
    notifyAll();
    return true;
  }

  @Override
  public synchronized void expire(long timeoutNs, long nowNs) {
    if (sent > low && nowNs - quietNs > timeoutNs) {
      lose(low, sent, Cause.SILENCE, Optional.empty());
      low = sent;
      notifyAll();
    }
  }

  private void lose(long from, long to, Cause cause, Optional<LostFrame> frame) {
    for (long i = from; i < to; i++) {
      lost.set((int) i);
      losses.accept(new Loss(noReply + i, positions.at(noReply + i), cause, frame));
    }
  }

  @Override
  public synchronized void wake() {
    notifyAll();
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  @Override
  public synchronized boolean isStopped() {
    return stopped;
  }

  @Override
  public synchronized boolean isEmpty() {
    return low == high;
  }

  @Override
  public synchronized long late() {
    return late;
  }

  @Override
  public long resent() {
    return 0;
  }

  @Override
  public synchronized long gapNs() {
    return gaps.longestNs();
  }

  @Override
  public synchronized BitSet lost() {
    return (BitSet) lost.clone();
  }
}
