package io.isle.lib.leap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes frames of datagrams: up to 64 at a time, delivered in order, each once or reported as lost
 * in its place. Buffers are made when first needed, and never exceed the bound. One thread at a
 * time. No call but the constructor allocates on the heap; a chunk takes constant time.
 *
 * <p>{@link #poll} says what is next. A frame is lent by {@link #frame} until {@link #release}, or
 * copied by {@link #deliver}. A loss is taken by {@link #skip}.
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

  /**
   * @param arena owner of the buffers; stays open while the reassembly is in use
   */
  public Reassembly(ReassemblyRules rules, Arena arena) {
    this.rules = rules;
  }

  /** The rules. */
  public ReassemblyRules rules() {
    return rules;
  }

  /** Frames that may be under way at a time, 1 to 64: as many as the bound of memory permits. */
  public int window() {
    return 0;
  }

  /**
   * Takes a datagram, header included.
   *
   * @param now in nanoseconds; never decreases from call to call
   */
  public Arrival accept(MemorySegment datagram, long offset, int length, long now) {
    throw new UnsupportedOperationException();
  }

  /** {@link #NOTHING}, {@link #FRAME} or {@link #LOST}. */
  public int poll(long now) {
    throw new UnsupportedOperationException();
  }

  /** When {@link #poll} is to be called without a datagram; {@link Long#MAX_VALUE} for never. */
  public long deadline() {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether frames that wait for {@link #release} or {@link #skip} fill the window: datagrams are
   * then better left where they are.
   */
  public boolean isFull() {
    throw new UnsupportedOperationException();
  }

  /** Sequence of the next frame or loss. */
  public int sequence() {
    throw new UnsupportedOperationException();
  }

  /** The memory of the next frame, from offset 0, until {@link #release}. */
  public MemorySegment frame() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of the next frame. */
  public int frameBytes() {
    throw new UnsupportedOperationException();
  }

  /** Ends the loan of the next frame. */
  public void release() {
    throw new UnsupportedOperationException();
  }

  /**
   * Copies the next frame, and releases it.
   *
   * @return its bytes
   */
  public int deliver(MemorySegment to, long offset) {
    throw new UnsupportedOperationException();
  }

  /** Chunks of the next, lost frame that arrived. */
  public int lostChunks() {
    throw new UnsupportedOperationException();
  }

  /** Chunks of the next, lost frame; 0 if not known. */
  public int lostTotal() {
    throw new UnsupportedOperationException();
  }

  /** Takes the loss. */
  public void skip() {
    throw new UnsupportedOperationException();
  }

  /** The next frame has this sequence: after a path was taken over. Before the first datagram. */
  public void expect(int sequence) {
    throw new UnsupportedOperationException();
  }

  /** The next datagram begins anew, as that of a new peer. Whole frames are delivered before. */
  public void restart() {
    throw new UnsupportedOperationException();
  }

  /** Counts a datagram of a source that is not the peer. */
  public void countWrongSource() {
    counters.wrongSource++;
  }

  /** The counters, one object for all time. */
  public ReassemblyCounters counters() {
    return counters;
  }

  /** Frames from the next one to the newest that is known of. */
  public int known() {
    throw new UnsupportedOperationException();
  }

  /**
   * Chunks of a frame.
   *
   * @param ahead 0 for the next frame, below {@link #known}
   * @return 0 if no chunk arrived
   */
  public int total(int ahead) {
    throw new UnsupportedOperationException();
  }

  /** Arrived chunks of a frame. */
  public int arrived(int ahead) {
    throw new UnsupportedOperationException();
  }

  /**
   * First missing chunk of a frame at {@code from} or behind.
   *
   * @return -1 if there is none, or no chunk arrived at all
   */
  public int missing(int ahead, int from) {
    throw new UnsupportedOperationException();
  }

  /** First arrived chunk of a frame at {@code from} or behind; the number of chunks without one. */
  public int present(int ahead, int from) {
    throw new UnsupportedOperationException();
  }
}
