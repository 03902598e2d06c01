package io.isle.fabric.ring.health;

import io.isle.lib.leap.isle.RollCall;
import java.util.ArrayList;
import java.util.List;

/**
 * The roll calls of a master: begun after each change of the ring and from time to time, collected
 * piece by piece. One thread at a time.
 */
final class RollKeeper {
  /** Least time between the begins of two roll calls. */
  private static final long LEAST_NS = 100_000_000L;

  /** Longest time of a roll call on its way round; doubles up to {@link #EACH_NS}. */
  private static final long LIMIT_NS = 1_000_000_000L;

  /** Between two roll calls of a ring without changes; the times of hops change. */
  private static final long EACH_NS = 5_000_000_000L;

  private final long firstNumber;
  private long number;
  private boolean underWay;

  /** Whether the ring has changed since the begin of the last roll call. */
  private boolean wanted = true;

  private long begunNs;
  private long dueNs = Long.MIN_VALUE;
  private long waitNs = LIMIT_NS;
  private final List<RollCall.Entry> collected = new ArrayList<>();
  private List<RollCall.Entry> complete = List.of();
  private long completeNs;
  private long rounds;

  /**
   * @param firstNumber any number, another one for each master
   */
  RollKeeper(long firstNumber) {
    this.firstNumber = firstNumber;
    number = firstNumber;
  }

  /** The ring has changed. */
  void want(long nowNs) {
    wanted = true;
    waitNs = LIMIT_NS;
    dueNs = Math.min(dueNs, number == firstNumber ? nowNs : begunNs + LEAST_NS);
  }

  /**
   * The first piece of a new roll call, if one is due. One that has not gone round by then is given
   * up.
   *
   * @return null for none
   */
  RollCall begin(long nowNs) {
    if (nowNs < dueNs) {
      return null;
    }
    number++;
    underWay = true;
    wanted = false;
    begunNs = nowNs;
    dueNs = nowNs + waitNs;
    waitNs = Math.min(2 * waitNs, EACH_NS);
    collected.clear();
    return new RollCall(number, 0, true, List.of());
  }

  /** The time of the next {@link #begin}. */
  long deadlineNs() {
    return dueNs;
  }

  /** Whether a roll call is one of this master. */
  boolean isOwn(RollCall piece) {
    return piece.roll() > firstNumber && piece.roll() <= number;
  }

  /**
   * A piece of an own roll call has gone round.
   *
   * @return whether the roll call is complete now
   */
  boolean take(RollCall piece, long nowNs) {
    if (!underWay || piece.roll() != number || piece.first() != collected.size()) {
      return false;
    }
    collected.addAll(piece.entries());
    if (!piece.last()) {
      return false;
    }
    underWay = false;
    waitNs = LIMIT_NS;
    dueNs = wanted ? dueNs : nowNs + EACH_NS;
    complete = List.copyOf(collected);
    completeNs = nowNs;
    rounds++;
    return true;
  }

  /** The nodes behind the master in the order of the ring, by the last complete roll call. */
  List<RollCall.Entry> complete() {
    return complete;
  }

  /** Time of the end of the last complete roll call; 0 without one. */
  long completeNs() {
    return completeNs;
  }

  /** Time of the begin of the last roll call. */
  long begunNs() {
    return begunNs;
  }

  /** Complete roll calls. */
  long rounds() {
    return rounds;
  }
}
