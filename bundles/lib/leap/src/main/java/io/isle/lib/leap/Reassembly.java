package io.isle.lib.leap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes frames of datagrams: up to 64 at a time, delivered in order, each once or reported as lost
 * in its place. Buffers are made when first needed, and never exceed the bound. One thread at a
 * time. No call but the constructor allocates on the heap, once each buffer was used; a chunk takes
 * constant time, but for numbers that it skips.
 *
 * <p>{@link #poll} says what is next. A frame is lent by {@link #frame} until {@link #release}, or
 * copied by {@link #deliver}. A loss is taken by {@link #skip}. A frame is lost if it is incomplete
 * after the timeout, or once a frame arrives that is a whole window later. The timeout of a frame
 * without a chunk begins with the arrival of a later one.
 */
public final class Reassembly {
  /** Most frames at a time. */
  public static final int WINDOW = 64;

  /** Numbers farther away mean that the peer has restarted. */
  public static final int NEAR = 1024;

  /** Age from which a number that comes again means that the peer has restarted. */
  public static final long AGAIN_NS = 250_000_000L;

  /** {@link #poll}: nothing is next yet. */
  public static final int NOTHING = 0;

  /** {@link #poll}: a whole frame is next. */
  public static final int FRAME = 1;

  /** {@link #poll}: a lost frame is next. */
  public static final int LOST = 2;

  private final ReassemblyRules rules;
  private final ReassemblyCounters counters = new ReassemblyCounters();
  private final ChunkCheck check;
  private final FrameWindow window;
  private final FrameSlots slots;
  private final FrameProgress progress;

  /**
   * @param arena owner of the buffers; stays open while the reassembly is in use
   */
  public Reassembly(ReassemblyRules rules, Arena arena) {
    this.rules = rules;
    check = new ChunkCheck(rules);
    window = new FrameWindow(rules, arena, counters);
    slots = window.slots;
    progress = new FrameProgress(window);
  }

  /** The rules. */
  public ReassemblyRules rules() {
    return rules;
  }

  /** Frames that may be under way at a time, 1 to 64: as many as the bound of memory permits. */
  public int window() {
    return slots.window();
  }

  /** Whether a datagram is well-formed, as {@link Arrival#isValid}. Changes nothing. */
  public boolean isValid(MemorySegment datagram, long offset, int length) {
    return check.of(datagram, offset, length).isValid();
  }

  /**
   * Takes a datagram, header included.
   *
   * @param now in nanoseconds; never decreases from call to call
   */
  public Arrival accept(MemorySegment datagram, long offset, int length, long now) {
    Arrival arrival = check.of(datagram, offset, length);
    if (arrival == Arrival.ACCEPTED) {
      arrival = place(datagram, offset, length - ChunkHeader.BYTES, now);
    }
    counters.count(arrival);
    return arrival;
  }

  /**
   * Delivers the next frame straight from its datagram, if the frame is one chunk and no other one
   * is under way: as {@link #accept} and {@link #deliver}, with one copy.
   *
   * @return bytes of the frame; 0, without any change, for all other datagrams
   */
  public int pass(
      MemorySegment datagram, long offset, int length, MemorySegment to, long toOffset, long now) {
    if (check.of(datagram, offset, length) != Arrival.ACCEPTED
        || ChunkHeader.total(datagram, offset) != 1
        || !window.isAlone(ChunkHeader.sequence(datagram, offset))) {
      return 0;
    }
    int bytes = length - ChunkHeader.BYTES;
    MemorySegment.copy(datagram, offset + ChunkHeader.BYTES, to, toOffset, bytes);
    window.pass(now);
    counters.count(Arrival.COMPLETED);
    counters.frames++;
    return bytes;
  }

  private Arrival place(MemorySegment datagram, long offset, int payload, long now) {
    int sequence = ChunkHeader.sequence(datagram, offset);
    int chunk = ChunkHeader.chunk(datagram, offset);
    int total = ChunkHeader.total(datagram, offset);
    long number = window.locate(sequence, now);
    if (number >= 0 && slots.has(number, chunk)) {
      if (rules.repaired() || now - slots.last(number) <= AGAIN_NS) {
        return Arrival.DUPLICATE;
      }
      number = window.begin(sequence, now);
    }
    if (number < 0) {
      return number == FrameWindow.PAST ? Arrival.STALE : Arrival.OVERFLOW;
    }
    if (slots.total(number) != 0 && slots.total(number) != total) {
      return Arrival.WRONG_TOTAL;
    }
    slots.put(number, chunk, total, datagram, offset + ChunkHeader.BYTES, payload, now);
    if (!slots.isWhole(number)) {
      return Arrival.ACCEPTED;
    }
    counters.frames++;
    return Arrival.COMPLETED;
  }

  /**
   * What is next: {@link #NOTHING}, {@link #FRAME} or {@link #LOST}. Gives up a frame whose time is
   * over: datagrams that wait in the system are better accepted before.
   *
   * @param now as in {@link #accept}
   */
  public int poll(long now) {
    window.giveUpDead(now);
    if (window.isLossNext()) {
      return LOST;
    }
    if (window.isFrameNext()) {
      return FRAME;
    }
    if (now < deadline()) {
      return NOTHING;
    }
    window.giveUp(now);
    return LOST;
  }

  /**
   * When {@link #poll} has to be called although no datagram arrives, in the clock of {@link
   * #accept}; {@link Long#MAX_VALUE} for never, also while something is next.
   */
  public long deadline() {
    long base = window.base();
    if (rules.repaired() || window.isLossNext() || base == window.top() || slots.isWhole(base)) {
      return Long.MAX_VALUE;
    }
    long since = slots.since(base);
    long end = since + rules.frameTimeoutNs();
    return end >= since ? end : Long.MAX_VALUE;
  }

  /**
   * Whether frames that wait for {@link #release} or {@link #skip} fill the window: datagrams are
   * then better left where they are.
   */
  public boolean isFull() {
    return window.isFull();
  }

  /** Sequence of the next frame or loss. */
  public int sequence() {
    if (window.isLossNext()) {
      return window.history.sequence(window.next());
    }
    return slots.sequence(nextFrame());
  }

  /** The memory of the next frame, from offset 0, until {@link #release}. */
  public MemorySegment frame() {
    return slots.memory(nextFrame());
  }

  /** Bytes of the next frame. */
  public int frameBytes() {
    return slots.bytes(nextFrame());
  }

  /**
   * Ends the loan of the next frame, whose memory stays as it is until the next {@link #accept}.
   */
  public void release() {
    long ignored = nextFrame();
    window.release();
  }

  /**
   * Copies the next frame, and releases it.
   *
   * @return its bytes
   */
  public int deliver(MemorySegment to, long offset) {
    int bytes = frameBytes();
    MemorySegment.copy(frame(), 0, to, offset, bytes);
    window.release();
    return bytes;
  }

  /** Chunks of the next, lost frame that arrived. */
  public int lostChunks() {
    return window.history.arrived(nextLoss());
  }

  /** Chunks of the next, lost frame; 0 if not known. */
  public int lostTotal() {
    return window.history.total(nextLoss());
  }

  /** Takes the loss. */
  public void skip() {
    long ignored = nextLoss();
    window.skip();
  }

  private long nextFrame() {
    if (!window.isFrameNext()) {
      throw new IllegalStateException("no frame is next: see poll");
    }
    return window.base();
  }

  private long nextLoss() {
    if (!window.isLossNext()) {
      throw new IllegalStateException("no loss is next: see poll");
    }
    return window.next();
  }

  /** The next new frame has this sequence, as on a path that was taken over. */
  public void expect(int sequence, long now) {
    window.expect(sequence, now);
  }

  /**
   * The next datagram begins anew, as that of a new peer. Whole frames are delivered before;
   * incomplete ones are then lost.
   */
  public void restart() {
    window.forgetPeer();
  }

  /** Counts a datagram of a source that is not the peer. */
  public void countWrongSource() {
    counters.wrongSource++;
  }

  /** The counters, one object for all time. */
  public ReassemblyCounters counters() {
    return counters;
  }

  /** What has arrived of the frames under way, one object for all time. */
  public FrameProgress progress() {
    return progress;
  }
}
