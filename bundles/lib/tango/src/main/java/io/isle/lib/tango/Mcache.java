package io.isle.lib.tango;

import static io.isle.lib.tango.TangoLayout.LONG;
import static io.isle.lib.tango.TangoLayout.U64;

import io.isle.lib.tango.TangoLayout.FragMeta;
import io.isle.lib.tango.TangoLayout.McacheHead;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A ring of fragments' metadata, written by one producer and read by any number of consumers. The
 * line of sequence number s lies at index s % depth. The producer writes s - 1 into the line, then
 * the fields, then releases s; so a new fragment takes the line of fragment s - depth without a
 * wait. A reader copies the line, then reads the number again.
 *
 * <p>Numbers are unsigned and wrap around; the signed difference of two orders them.
 *
 * <p>Methods of the data path allocate nothing and throw nothing while the memory is mapped. One
 * thread publishes at a time; any thread reads.
 */
public final class Mcache {
  /** First word of an mcache. */
  public static final long MAGIC_VALUE = 0xF17EDA2C373CA540L;

  /** Least and most lines. */
  public static final int LEAST_DEPTH = 128;

  public static final int MOST_DEPTH = 1 << 24;

  /** Alignment of an mcache in memory, in bytes. */
  public static final int ALIGN = 128;

  /** {@code ctl} of a line without a fragment: a whole message with an error. */
  private static final long FRESH_PLACE = (long) (Frag.WHOLE | Frag.ERR) << 48;

  private static final long PLACE = FragMeta.CHUNK;
  private static final long TIMES = FragMeta.TSORIG;

  private final MemorySegment memory;
  private final int depth;
  private final long mask;
  private final long seq0;
  private final long appOffset;
  private final long appBytes;

  private Mcache(MemorySegment memory, int depth, long seq0, long appOffset, long appBytes) {
    this.memory = Memory.uniform(memory);
    this.depth = depth;
    this.mask = depth - 1L;
    this.seq0 = seq0;
    this.appOffset = appOffset;
    this.appBytes = appBytes;
  }

  /**
   * Bytes of an mcache.
   *
   * @param depth a power of two from {@link #LEAST_DEPTH} to {@link #MOST_DEPTH}
   * @param appBytes of the application's region, 0 to 2^31 - 1
   * @throws IllegalArgumentException naming the limit
   */
  public static long footprint(long depth, long appBytes) {
    requireDepth(depth);
    if (appBytes < 0 || appBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "application region " + appBytes + " of an mcache is not in 0..2147483647 bytes");
    }
    return appOffset(depth) + TangoLayout.aligned(appBytes, ALIGN);
  }

  private static long appOffset(long depth) {
    return TangoLayout.aligned(McacheHead.HEAD_BYTES + depth * FragMeta.LINE_BYTES, ALIGN);
  }

  private static void requireDepth(long depth) {
    if (depth < LEAST_DEPTH || depth > MOST_DEPTH || Long.bitCount(depth) != 1) {
      throw new IllegalArgumentException(
          "depth "
              + Long.toUnsignedString(depth)
              + " is not a power of two in "
              + LEAST_DEPTH
              + ".."
              + MOST_DEPTH);
    }
  }

  /**
   * Makes an mcache without fragments. The magic number is written last.
   *
   * @param memory at least {@link #footprint} bytes at a multiple of {@link #ALIGN}
   * @param seq0 first sequence number, unsigned
   * @throws IllegalArgumentException naming the limit
   */
  public static Mcache create(MemorySegment memory, long depth, long appBytes, long seq0) {
    long bytes = footprint(depth, appBytes);
    Memory.require("an mcache", memory, bytes, ALIGN);
    memory.asSlice(0, bytes).fill((byte) 0);
    memory.set(U64, McacheHead.DEPTH, depth);
    memory.set(U64, McacheHead.APP_SZ, appBytes);
    memory.set(U64, McacheHead.SEQ0, seq0);
    memory.set(U64, McacheHead.APP_OFF, appOffset(depth));
    memory.set(U64, McacheHead.SEQ, seq0);
    Mcache made = new Mcache(memory, (int) depth, seq0, appOffset(depth), appBytes);
    for (long i = 0; i < depth; i++) {
      MemorySegment line = made.line(seq0 + i);
      line.set(U64, FragMeta.SEQ, seq0 + i - 1);
      line.set(U64, PLACE, FRESH_PLACE);
    }
    LONG.setRelease(memory, McacheHead.MAGIC, MAGIC_VALUE);
    return made;
  }

  /**
   * Opens an mcache of another program, which is checked, and whose head is not read again.
   *
   * @param memory from the head on, at a multiple of {@link #ALIGN}
   * @throws IllegalArgumentException naming the field and its limit
   */
  public static Mcache open(MemorySegment memory) {
    Memory.require("an mcache", memory, McacheHead.HEAD_BYTES, ALIGN);
    Memory.requireMagic("an mcache", memory, MAGIC_VALUE);
    long depth = memory.get(U64, McacheHead.DEPTH);
    long appBytes = memory.get(U64, McacheHead.APP_SZ);
    long bytes = footprint(depth, appBytes);
    Memory.require("an mcache of depth " + depth, memory, bytes, ALIGN);
    long appOffset = memory.get(U64, McacheHead.APP_OFF);
    if (appOffset != appOffset(depth)) {
      throw new IllegalArgumentException(
          "app_off "
              + Long.toUnsignedString(appOffset)
              + " of an mcache of depth "
              + depth
              + " is not "
              + appOffset(depth));
    }
    return new Mcache(memory, (int) depth, memory.get(U64, McacheHead.SEQ0), appOffset, appBytes);
  }

  /** Number of lines. */
  public int depth() {
    return depth;
  }

  /** First sequence number of the link, unsigned. */
  public long seq0() {
    return seq0;
  }

  /** The application's region; of 0 bytes if there is none. */
  public MemorySegment app() {
    return memory.asSlice(appOffset, appBytes);
  }

  /**
   * The lines without a check for each access. Each call makes an object: in a loop that keeps it
   * to itself, compiled code has its fields in registers.
   */
  public Lines lines() {
    return new Lines(memory.address() + McacheHead.HEAD_BYTES, mask);
  }

  private long offset(long seq) {
    return McacheHead.HEAD_BYTES + (seq & mask) * FragMeta.LINE_BYTES;
  }

  /** One check of bounds for all fields; compiled code has no object for the slice. */
  private MemorySegment line(long seq) {
    return memory.asSlice(offset(seq), FragMeta.LINE_BYTES);
  }

  /**
   * Publishes a fragment; its payload is in memory. The line of fragment {@code seq} - depth is
   * gone. Before the next payload is written, the number in that line has changed for all readers.
   *
   * @param seq one more than that of the fragment before
   * @param chunk 32 bits
   * @param size 16 bits, as {@code ctl}
   */
  public void publish(long seq, long sig, long chunk, int size, int ctl, int tsorig, int tspub) {
    MemorySegment line = line(seq);
    LONG.set(line, FragMeta.SEQ, seq - 1);
    // fields and later payloads come behind the number that takes the old fragment away
    VarHandle.storeStoreFence();
    long place = (chunk & 0xffff_ffffL) | (size & 0xffffL) << 32 | (long) ctl << 48;
    LONG.set(line, FragMeta.SIG, sig);
    LONG.set(line, PLACE, place);
    LONG.set(line, TIMES, (tsorig & 0xffff_ffffL) | (long) tspub << 32);
    LONG.setRelease(line, FragMeta.SEQ, seq);
  }

  /**
   * Copies the metadata of a fragment.
   *
   * @return 0: {@code frag} is filled; negative: not yet published; positive: overrun, {@code seq}
   *     plus this is a published number, or was one
   */
  public long read(long seq, Frag frag) {
    MemorySegment line = line(seq);
    long ahead = copy(line, seq, frag);
    return ahead == 0 ? ahead(line, seq) : ahead;
  }

  /** As {@link #read}, without the second look at the number. */
  long copy(long seq, Frag frag) {
    return copy(line(seq), seq, frag);
  }

  private static long copy(MemorySegment line, long seq, Frag frag) {
    long ahead = (long) LONG.getAcquire(line, FragMeta.SEQ) - seq;
    if (ahead == 0) {
      frag.seq = seq;
      frag.sig = (long) LONG.get(line, FragMeta.SIG);
      frag.place = (long) LONG.get(line, PLACE);
      frag.times = (long) LONG.get(line, TIMES);
    }
    return ahead;
  }

  /**
   * Whether a fragment is still there; to be asked after its metadata and payload were read, and
   * before their use. The fence keeps those reads before this one.
   *
   * @return 0: all that was read belongs to the fragment; otherwise as {@link #read}
   */
  public long overrun(long seq) {
    return ahead(line(seq), seq);
  }

  private static long ahead(MemorySegment line, long seq) {
    VarHandle.acquireFence();
    return (long) LONG.getOpaque(line, FragMeta.SEQ) - seq;
  }

  /** The number in the line of a fragment, as it is now: for looks without a copy. */
  public long peek(long seq) {
    return (long) LONG.getAcquire(memory, offset(seq) + FragMeta.SEQ);
  }

  /** All numbers below this one are published, says the producer; the number may lag behind. */
  public long produced() {
    return (long) LONG.getAcquire(memory, McacheHead.SEQ);
  }

  /**
   * Tells consumers that all numbers below {@code seq} are published; now and then, and at the end.
   */
  public void produced(long seq) {
    LONG.setRelease(memory, McacheHead.SEQ, seq);
  }

  /**
   * The number of the next fragment, as the lines say: from {@link #produced} on, behind all
   * numbers that are published, also if the producer ended amid a publication. While the producer
   * runs, this is a number it has reached meanwhile.
   *
   * @throws IllegalStateException for a line with a number that belongs to another line
   */
  public long next() {
    long seq = produced();
    // a line counts twice at most, unless a producer runs as fast as this
    for (long steps = 4L * depth; steps > 0; steps--) {
      long found = peek(seq);
      long ahead = found - seq;
      if (ahead < 0) {
        break;
      }
      // the line has its number, one of a later round, or that before one of a later round
      long beside = ahead & mask;
      if (beside != 0 && beside != mask) {
        throw new IllegalStateException(
            "line "
                + (seq & mask)
                + " of an mcache of depth "
                + depth
                + " has number "
                + Long.toUnsignedString(found)
                + ", which belongs to another line");
      }
      seq = found + 1;
    }
    return seq;
  }
}
