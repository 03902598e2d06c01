package io.isle.lib.drive;

import io.isle.lib.drive.Loss.Cause;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lost packets are sent again until each has its reply. Replies come in the order in which packets
 * were sent: a reply tells that packets that were sent earlier are lost. The window moves on once
 * the oldest packet has its reply, so a bounded number of packets has to be kept.
 */
final class RepairWindow implements Window {
  /** States of a place in the window. */
  private enum State {
    SENDING,
    DUE,
    LOST,
    REPLIED,
    FREE
  }

  private final int size;
  private final Positions positions;
  private final long noReply;
  private final Consumer<Loss> losses;
  private final GapClock gaps = new GapClock();

  /** By index modulo {@code size}: state, number in the order of sending, whether sent again. */
  private final State[] states;

  private final long[] orders;
  private final boolean[] again;

  /** The oldest packet whose reply is not dealt with, and behind the newest. */
  private long base;

  private long high;
  private long order;
  private int due;
  private int lost;
  private int outAgain;
  private long resent;
  private long late;

  /** When the oldest due packet was sent, or the newest reply came, whichever is later. */
  private long quietNs;

  private boolean stopped;

  /** Parameters as those of {@link LossyWindow}. */
  RepairWindow(int size, Positions positions, long noReply, Consumer<Loss> losses) {
    this.size = places(size, positions);
    this.positions = positions;
    this.noReply = noReply;
    this.losses = losses;
    states = new State[this.size];
    orders = new long[this.size];
    again = new boolean[this.size];
  }

  /**
   * Places of the window: as many packets have to be kept. At most half of the positions, so that a
   * second reply of a packet is not the reply of a later one with the same position.
   */
  static int places(int size, Positions positions) {
    return (int) Math.max(1, Math.min(size, positions.count() / 2));
  }

  private int place(long index) {
    return (int) (index % size);
  }

  @Override
  public synchronized long begin(BooleanSupplier more) throws InterruptedException {
    while (!stopped) {
      if (lost > 0) {
        return beginAgain();
      }
      boolean wanted = more.getAsBoolean();
      if (wanted && high - base < size) {
        begin(high, false);
        return high++;
      }
      if (!wanted && base == high) {
        return NONE;
      }
      wait();
    }
    return NONE;
  }

  private void begin(long index, boolean repeated) {
    int place = place(index);
    states[place] = State.SENDING;
    again[place] = repeated;
    orders[place] = ++order;
  }

  private long beginAgain() {
    long index = base;
    while (states[place(index)] != State.LOST) {
      index++;
    }
    lost--;
    resent++;
    outAgain++;
    begin(index, true);
    return index;
  }

  @Override
  public synchronized void sent(long index, long nowNs) {
    int place = place(index);
    if (index < base || states[place] != State.SENDING) {
      return;
    }
    states[place] = State.DUE;
    if (due++ == 0) {
      quietNs = nowNs;
    }
    if (base == index && high == index + 1 && !again[place]) {
      gaps.begin(nowNs);
    }
  }

  @Override
  public synchronized long replied(int position, long nowNs) {
    long index = positions.indexFrom(noReply + base, position) - noReply;
    if (index < base || index >= high) {
      return NONE;
    }
    int place = place(index);
    State before = states[place];
    if (before == State.REPLIED || before == State.FREE) {
      return NONE;
    }
    if (before == State.LOST) {
      lost--;
      late++;
    } else {
      overtake(index);
      due -= before == State.DUE ? 1 : 0;
      outAgain -= again[place] ? 1 : 0;
    }
    states[place] = State.REPLIED;
    quietNs = nowNs;
    gaps.reply(nowNs, high - base > 1);
    return index;
  }

  /** Packets that were sent before this one are lost: nothing overtakes on a ring. */
  private void overtake(long index) {
    if (index == base && outAgain == 0) {
      return;
    }
    long mine = orders[place(index)];
    for (long i = base; i < high; i++) {
      if (states[place(i)] == State.DUE && orders[place(i)] < mine) {
        lose(i, Cause.OVERTAKEN, Optional.empty());
      }
    }
  }

  private void lose(long index, Cause cause, Optional<LostFrame> frame) {
    int place = place(index);
    states[place] = State.LOST;
    outAgain -= again[place] ? 1 : 0;
    due--;
    lost++;
    losses.accept(new Loss(noReply + index, positions.at(noReply + index), cause, frame));
    notifyAll();
  }

  @Override
  public synchronized void taken(long index) {
    states[place(index)] = State.FREE;
    while (base < high && states[place(base)] == State.FREE) {
      base++;
    }
    notifyAll();
  }

  @Override
  public synchronized boolean lost(Optional<LostFrame> frame, long nowNs) {
    long oldest = NONE;
    for (long i = base; i < high; i++) {
      boolean older = oldest == NONE || orders[place(i)] < orders[place(oldest)];
      if (states[place(i)] == State.DUE && older) {
        oldest = i;
      }
    }
    if (oldest == NONE) {
      return false;
    }
    lose(oldest, Cause.LINK, frame);
    quietNs = nowNs;
    return true;
  }

  @Override
  public synchronized void expire(long timeoutNs, long nowNs) {
    if (due == 0 || nowNs - quietNs <= timeoutNs) {
      return;
    }
    for (long i = base; i < high; i++) {
      if (states[place(i)] == State.DUE) {
        lose(i, Cause.SILENCE, Optional.empty());
      }
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
    return stopped ? due == 0 : base == high;
  }

  @Override
  public synchronized long late() {
    return late;
  }

  @Override
  public synchronized long resent() {
    return resent;
  }

  @Override
  public synchronized long gapNs() {
    return gaps.longestNs();
  }

  /** None: each lost packet is sent again. */
  @Override
  public BitSet lost() {
    return new BitSet();
  }
}
