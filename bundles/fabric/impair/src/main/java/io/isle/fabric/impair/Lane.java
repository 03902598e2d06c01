package io.isle.fabric.impair;

import io.isle.fabric.impair.ImpairSettings.Faults;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * One direction of a relay: decides by random numbers of a seed what becomes of each datagram or
 * piece of a stream, and holds it until its time. A machine without clock and input: the same seed
 * and the same calls give the same result. One thread.
 */
final class Lane {
  private static final int MILLION = 1_000_000;
  private static final long NS_PER_S = 1_000_000_000;

  /** Bytes that are passed on at {@code dueNs}. */
  record Held(byte[] bytes, long dueNs, long order) {}

  private final boolean datagrams;
  private final boolean forward;
  private final Tally tally;
  private final SplittableRandom random;
  private final PriorityQueue<Held> held =
      new PriorityQueue<>(Comparator.comparingLong(Held::dueNs).thenComparingLong(Held::order));
  private Faults faults;
  private long order;
  private long heldBytes;

  /** Of streams: time of the last piece, which later ones must not overtake. */
  private long lastDueNs = Long.MIN_VALUE;

  /** Time at which the way is free for the next bytes at the set rate. */
  private long freeNs = Long.MIN_VALUE;

  Lane(boolean datagrams, boolean forward, Faults faults, Tally tally) {
    this.datagrams = datagrams;
    this.forward = forward;
    this.faults = faults;
    this.tally = tally;
    random = new SplittableRandom(faults.seed() * 2 + (forward ? 0 : 1));
  }

  /** Other impairments from now on; the seed of the begin stays. */
  void faults(Faults next) {
    faults = next;
  }

  /** Whether nothing may pass. */
  boolean isBlackHole() {
    return forward ? faults.forward() : faults.backward();
  }

  /** Room for further bytes of a stream. */
  boolean hasRoom() {
    return heldBytes < faults.queueBytes();
  }

  /** Takes a datagram, or a piece of a stream; the array belongs to the lane afterwards. */
  void take(byte[] bytes, long nowNs) {
    if (datagrams) {
      takeDatagram(bytes, nowNs);
    } else {
      corrupt(bytes);
      lastDueNs = Math.max(lastDueNs, depart(nowNs + delay(), bytes.length));
      hold(bytes, lastDueNs);
    }
  }

  private void takeDatagram(byte[] bytes, long nowNs) {
    // each decision takes its number from the seed, so that one setting does not move the others
    boolean lost = happens(faults.loss());
    boolean twice = happens(faults.duplicate());
    boolean late = happens(faults.reorder());
    long due = nowNs + delay();
    if (isBlackHole()) {
      tally.add(Tally.Event.SWALLOWED);
    } else if (lost) {
      tally.add(Tally.Event.LOST);
    } else {
      corrupt(bytes);
      if (late) {
        tally.add(Tally.Event.REORDERED);
        due += faults.reorderNs();
      }
      if (hold(bytes, depart(due, bytes.length)) && twice) {
        tally.add(Tally.Event.DUPLICATED);
        boolean ignored = hold(bytes, depart(due, bytes.length));
      }
    }
  }

  private boolean happens(int share) {
    return random.nextInt(MILLION) < share;
  }

  private long delay() {
    return faults.delayNs() + (faults.jitterNs() == 0 ? 0 : random.nextLong(faults.jitterNs() + 1));
  }

  private void corrupt(byte[] bytes) {
    if (happens(faults.corrupt()) && bytes.length > 0) {
      int bit = random.nextInt(8 * bytes.length);
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      tally.add(Tally.Event.CORRUPTED);
    }
  }

  /** Time at which the last of the bytes has left at the set rate. */
  private long depart(long due, int bytes) {
    if (faults.rate() == 0) {
      return due;
    }
    freeNs = Math.max(freeNs, due) + Math.ceilDiv(bytes * NS_PER_S, faults.rate());
    return freeNs;
  }

  private boolean hold(byte[] bytes, long dueNs) {
    if (datagrams && heldBytes + bytes.length > faults.queueBytes()) {
      tally.add(Tally.Event.OVERFLOWED);
      return false;
    }
    heldBytes += bytes.length;
    held.add(new Held(bytes, dueNs, order++));
    return true;
  }

  /** The next bytes whose time has come, which stay held; null for none. */
  byte[] due(long nowNs) {
    Held next = held.peek();
    return next == null || next.dueNs > nowNs ? null : next.bytes;
  }

  /** The bytes of {@link #due} are passed on. */
  void pass() {
    Held next = held.remove();
    heldBytes -= next.bytes.length;
    tally.add(Tally.Event.PASSED);
    tally.add(Tally.Event.BYTES, next.bytes.length);
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Time of the next held bytes; {@link Long#MAX_VALUE} for none. */
  long nextNs() {
    Held next = held.peek();
    return next == null ? Long.MAX_VALUE : next.dueNs;
  }

  /** Bytes until a connection is cut, drawn anew for each connection; MAX_VALUE: never. */
  long drawCut() {
    return faults.cutEvery() == 0 ? Long.MAX_VALUE : 1 + random.nextLong(2 * faults.cutEvery());
  }
}
