package io.isle.lib.leap;

import java.lang.foreign.Arena;

/**
 * The frames of a reassembly. Numbers are internal and only rise, {@code next <= base <= top}:
 * frames from next to before base are lost, those from base to before top have slots.
 */
final class FrameWindow {
  /** {@link #locate}: frames that were not taken yet are in the way. */
  static final long NO_ROOM = -1;

  /** {@link #locate}: the frame was delivered or given up. */
  static final long PAST = -2;

  final FrameSlots slots;
  final NumberHistory history = new NumberHistory();
  private final PeerNumbers peer = new PeerNumbers();
  private final boolean repaired;
  private final ReassemblyCounters counters;
  private long next;
  private long base;
  private long top;

  FrameWindow(ReassemblyRules rules, Arena arena, ReassemblyCounters counters) {
    this.repaired = rules.repaired();
    this.counters = counters;
    slots = new FrameSlots(rules, arena);
  }

  /** Number of the next frame or loss. */
  long next() {
    return next;
  }

  /** Number of the first frame with a slot. */
  long base() {
    return base;
  }

  /** Number behind the newest frame that is known of. */
  long top() {
    return top;
  }

  boolean isLossNext() {
    return base > next;
  }

  boolean isFrameNext() {
    return base == next && hasWholeBase();
  }

  boolean hasWholeBase() {
    return base < top && slots.isWhole(base);
  }

  boolean isFull() {
    return base - next >= Reassembly.NEAR || (top - base >= slots.window() && hasWholeBase());
  }

  /** Whether no frame is under way, and the next one of the peer has this sequence. */
  boolean isAlone(int sequence) {
    return next == top && peer.isKnown() && peer.sequence(top) == sequence;
  }

  /** The next frame, of which nothing is known, came and was taken at once. */
  void pass(long now) {
    history.delivered(top, now);
    next++;
    base++;
    top++;
  }

  /** Takes the next frame. */
  void release() {
    history.delivered(base, slots.last(base));
    slots.close(base);
    base++;
    next++;
  }

  /** Takes the next loss. */
  void skip() {
    next++;
  }

  /** The frames from now on begin with this sequence; earlier ones that are not whole are lost. */
  void expect(int sequence, long now) {
    killIncomplete(now);
    peer.begin(top, sequence, now);
  }

  private void killIncomplete(long now) {
    for (long old = base; old < top; old++) {
      if (!slots.isWhole(old)) {
        slots.kill(old);
      }
    }
    giveUpDead(now);
  }

  void forgetPeer() {
    peer.forget();
  }

  /** Number of the frame with a sequence, which then has a slot; or a negative code. */
  long locate(int sequence, long now) {
    if (!peer.isKnown()) {
      return begin(sequence, now);
    }
    long from = Math.max(base, peer.start());
    int distance = Sequence.distance(peer.sequence(from), sequence);
    if (Math.abs(distance) > Reassembly.NEAR && !repaired) {
      return peer.isOfPeerBefore(sequence, now) ? PAST : begin(sequence, now);
    }
    long number = from + distance;
    if (distance >= 0) {
      return reserve(number, now);
    }
    long seen = number < peer.start() ? peer.since() : history.seen(number);
    return repaired || now - seen <= Reassembly.AGAIN_NS ? PAST : begin(sequence, now);
  }

  /**
   * The peer starts or restarts with this sequence: its frames come behind all earlier ones, of
   * which the incomplete ones are lost.
   */
  long begin(int sequence, long now) {
    int ahead = Sequence.distance(ChunkHeader.FIRST_SEQUENCE, sequence);
    boolean fromFirst = ahead >= 0 && ahead < slots.window();
    long number = top + (fromFirst ? ahead : 0);
    if (number - firstWhole() >= slots.window() || firstWhole() - next > Reassembly.NEAR) {
      return NO_ROOM;
    }
    killIncomplete(now);
    if (peer.isKnown()) {
      counters.restarts++;
    }
    peer.begin(top, fromFirst ? ChunkHeader.FIRST_SEQUENCE : sequence, now);
    return reserve(number, now);
  }

  private long firstWhole() {
    long number = base;
    while (number < top && !slots.isWhole(number)) {
      number++;
    }
    return number;
  }

  /** Makes slots up to a number; gives up what is a window behind it. */
  private long reserve(long number, long now) {
    while (number - base >= slots.window()) {
      if (repaired || base - next >= Reassembly.NEAR || hasWholeBase()) {
        return NO_ROOM;
      }
      if (base == top) {
        open(now);
      }
      giveUp(now);
    }
    while (top <= number) {
      open(now);
    }
    return number;
  }

  private void open(long now) {
    slots.open(top, peer.sequence(top), now);
    top++;
  }

  void giveUp(long now) {
    history.lost(base, slots.sequence(base), slots.arrived(base), slots.total(base), now);
    slots.close(base);
    counters.lost++;
    base++;
  }

  void giveUpDead(long now) {
    while (base < top && slots.isDead(base) && base - next < Reassembly.NEAR) {
      giveUp(now);
    }
  }
}
