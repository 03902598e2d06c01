package io.isle.lib.tile;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Positions and counters of a tile, which outlive the tile: words of 64 bits, new memory is zero.
 * The tile alone writes; all others read at any time.
 *
 * <p>A frame is counted by exactly one outcome: passed on, skipped, or dropped with its reason.
 * {@link #SEEN} of a port and {@link #NEXT} of a link follow behind the outcome, so that a
 * successor of a tile that ended between both stores knows that the frame is finished. Stores keep
 * their order. No allocation.
 *
 * <pre>
 * 0        magic, then words of the tile
 * 512      2 ports of 512 bytes: positions, outcomes, wake-ups, figures of the kernel
 * 1536     32 TX links of 256 bytes: positions, outcomes
 * </pre>
 */
public final class TileState {
  /** Most ports: the interface and the loopback. */
  public static final int PORTS = 2;

  /** Most TX links. */
  public static final int TX_LINKS = 32;

  /** Word of the tile: nanoseconds between cycles that did work and the cycle behind each. */
  public static final int BUSY_NS = 1;

  /** Word of the tile: nanoseconds between the first and the last cycle of each start. */
  public static final int TOTAL_NS = 2;

  /** Word of the tile: how often a tile was opened on this memory. */
  public static final int OPENED = 3;

  /** Word of the tile: time of the begin of the last cycle in nanoseconds, the sign of life. */
  public static final int CYCLE_NS = 4;

  /** Word of the tile: frames that were dropped for want of a neighbor. */
  public static final int UNRESOLVED = 8;

  /**
   * First of the words of the tile that name such neighbors in turn: index of the interface in the
   * high half, address in the low half, first number highest.
   */
  public static final int NEIGHBORS = 16;

  /** Number of named neighbors. */
  public static final int NEIGHBOR_WORDS = 16;

  /** Word of a port: received frames with an outcome; the low half is the position in RX. */
  public static final int SEEN = 0;

  /** Word of a port: frames ever written to FILL; the low half is the position. */
  public static final int FILLED = 1;

  /** Word of a port: frames ever written to TX; the low half is the position. */
  public static final int SENT = 2;

  /** Word of a port: received frames that an app's link got. */
  public static final int RX_PASSED = 3;

  /** First of the words of a port that count by {@link RxDrop}. */
  public static final int RX_DROPS = 4;

  /** Word of a port: calls that woke the kernel to receive. */
  public static final int RX_WAKES = 16;

  /** Word of a port: calls that woke the kernel to send. */
  public static final int TX_WAKES = 17;

  /** Word of a port: wake-ups that the kernel refused for another reason than being busy. */
  public static final int FAILED_WAKES = 18;

  /** Word of a port: the error number of the last such refusal. */
  public static final int WAKE_ERROR = 19;

  /** Word of a port: completions of frames that were not sent; such a completion is ignored. */
  public static final int WRONG_COMPLETIONS = 20;

  /**
   * Word of a port: frames among the dropped ones whose checksum a local sender left unfinished.
   */
  public static final int UNFINISHED = 21;

  /** First of the six words of a port that the kernel's statistics are copied to. */
  public static final int KERNEL = 24;

  /** Number of the kernel's figures, in the order of struct xdp_statistics. */
  public static final int KERNEL_WORDS = 6;

  /** Word of a TX link: identity of the link, which no other link ever has; 0 for none. */
  public static final int LINK_ID = 0;

  /** Word of a TX link: {@link #NEXT} less the sum of all outcomes. */
  public static final int START = 1;

  /** Word of a TX link: the sequence number that the tile looks at next. */
  public static final int NEXT = 2;

  /** Word of a TX link: wrong chunks, sizes and sequence numbers. */
  public static final int BREACHES = 3;

  /** Word of a TX link: frames that the kernel got. */
  public static final int TX_PASSED = 4;

  /** Word of a TX link: frames that are another tile's. */
  public static final int TX_SKIPPED = 5;

  /** First of the words of a TX link that count by {@link TxDrop}. */
  public static final int TX_DROPS = 6;

  /** Bytes of the memory. */
  public static final long BYTES = 1536 + TX_LINKS * 256L;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final long MAGIC = 0x454C_4954_454C_5349L;
  private static final int RX_REASONS = RxDrop.values().length;
  private static final int TX_REASONS = TxDrop.values().length;

  private final MemorySegment memory;
  private final long base;

  /**
   * The state in {@code memory}.
   *
   * @param memory aligned to 8 bytes
   * @throws IllegalArgumentException if the memory is smaller than {@link #BYTES}
   */
  public TileState(MemorySegment memory) {
    if (memory.byteSize() < BYTES) {
      throw new IllegalArgumentException(
          "the state of a tile needs " + BYTES + " bytes, the memory has " + memory.byteSize());
    }
    this.memory = memory;
    this.base = RawMemory.address(memory, Long.BYTES);
  }

  /** Where a word of the tile lies. */
  public static long tile(int word) {
    return word * 8L;
  }

  /** Where a word of a port lies. */
  public static long port(int port, int word) {
    return 512 + port * 512L + word * 8L;
  }

  /** Where a word of a TX link lies. */
  public static long link(int slot, int word) {
    return 1536 + slot * 256L + word * 8L;
  }

  /** Reads a word; any thread. */
  public long get(long at) {
    return (long) WORD.getAcquire(RawMemory.ALL, base + at);
  }

  /** Writes a word, behind all earlier stores. */
  public void set(long at, long value) {
    WORD.setRelease(RawMemory.ALL, base + at, value);
  }

  /** Adds to a word that only this thread writes. */
  public void add(long at, long value) {
    long address = base + at;
    WORD.setRelease(RawMemory.ALL, address, (long) WORD.get(RawMemory.ALL, address) + value);
  }

  /** The memory, for calls that write a part of it. */
  public MemorySegment memory() {
    return memory;
  }

  /** Whether the memory has been used before; false for zeros. */
  public boolean isMarked() {
    return get(0) == MAGIC;
  }

  /** Marks the memory as used. */
  public void mark() {
    set(0, MAGIC);
  }

  /** Received frames of a port that have an outcome: what {@link #SEEN} is or becomes. */
  public long received(int port) {
    return get(port(port, RX_PASSED)) + rxDropped(port);
  }

  /** Received frames of a port that no app got; any thread. */
  public long rxDropped(int port) {
    return sum(port(port, RX_DROPS), RX_REASONS);
  }

  /** Frames of a TX link that have an outcome: {@link #NEXT} is or becomes START and this. */
  public long taken(int slot) {
    return get(link(slot, TX_PASSED)) + get(link(slot, TX_SKIPPED)) + txDropped(slot);
  }

  /** Frames of a TX link that were not sent; any thread. */
  public long txDropped(int slot) {
    return sum(link(slot, TX_DROPS), TX_REASONS);
  }

  private long sum(long at, int words) {
    long sum = 0;
    for (int i = 0; i < words; i++) {
      sum += get(at + i * 8L);
    }
    return sum;
  }
}
