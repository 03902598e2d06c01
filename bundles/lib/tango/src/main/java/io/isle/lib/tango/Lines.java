package io.isle.lib.tango;

import static io.isle.lib.tango.TangoLayout.LONG;

import io.isle.lib.tango.TangoLayout.FragMeta;
import io.isle.lib.tango.TangoLayout.McacheHead;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The lines of an mcache for tiles: as {@link Mcache}, without a check for each access. An access
 * by a {@link MemorySegment} looks at kind, bounds, alignment, thread and lifetime of the segment,
 * which takes longer than the access. So bounds and alignment are checked when the lines are made;
 * the owner of the memory keeps it mapped while lines are in use, or the process ends.
 *
 * <p>Methods allocate and throw nothing. One thread publishes at a time; any thread reads.
 */
public final class Lines {
  private static final MemorySegment MEMORY = Memory.all();

  /** Bits of a line's address: by these, compilers know that it is aligned and in bounds. */
  private static final long ADDRESS = (1L << 56) - FragMeta.LINE_BYTES;

  private static final int SHIFT = 5;
  private static final long PLACE = FragMeta.CHUNK;
  private static final long TIMES = FragMeta.TSORIG;

  private final long first;
  private final long mask;

  /**
   * @param first address of the line of number 0
   * @param mask number of lines, less one
   */
  Lines(long first, long mask) {
    this.first = first;
    this.mask = mask;
  }

  /**
   * The lines of an mcache whose head is not looked at.
   *
   * @param memory native, from the head on, at a multiple of {@link Mcache#ALIGN}; writable for
   *     {@link #publish}
   * @param depth number of lines
   * @throws IllegalArgumentException naming the limit
   */
  public static Lines of(MemorySegment memory, int depth) {
    Memory.require("an mcache", memory, Mcache.footprint(depth, 0), Mcache.ALIGN);
    return new Lines(memory.address() + McacheHead.HEAD_BYTES, depth - 1L);
  }

  private long line(long seq) {
    return first + ((seq & mask) << SHIFT) & ADDRESS;
  }

  /** As {@link Mcache#publish}. */
  public void publish(long seq, long sig, long chunk, int size, int ctl, int tsorig, int tspub) {
    long line = line(seq);
    LONG.set(MEMORY, line, seq - 1);
    // fields and later payloads come behind the number that takes the old fragment away
    VarHandle.storeStoreFence();
    long place = (chunk & 0xffff_ffffL) | (size & 0xffffL) << 32 | (long) ctl << 48;
    LONG.set(MEMORY, line + FragMeta.SIG, sig);
    LONG.set(MEMORY, line + PLACE, place);
    LONG.set(MEMORY, line + TIMES, (tsorig & 0xffff_ffffL) | (long) tspub << 32);
    LONG.setRelease(MEMORY, line, seq);
  }

  /** As {@link Mcache#read}; each word is read once, also if a hostile producer changes it. */
  public long read(long seq, Frag frag) {
    long line = line(seq);
    long ahead = copy(line, seq, frag);
    return ahead == 0 ? ahead(line, seq) : ahead;
  }

  private static long copy(long line, long seq, Frag frag) {
    long ahead = (long) LONG.getAcquire(MEMORY, line) - seq;
    if (ahead == 0) {
      frag.seq = seq;
      frag.sig = (long) LONG.getOpaque(MEMORY, line + FragMeta.SIG);
      frag.place = (long) LONG.getOpaque(MEMORY, line + PLACE);
      frag.times = (long) LONG.getOpaque(MEMORY, line + TIMES);
    }
    return ahead;
  }

  /** As {@link Mcache#overrun}. */
  public long overrun(long seq) {
    return ahead(line(seq), seq);
  }

  /** The fence keeps reads of the fragment before this one. */
  private static long ahead(long line, long seq) {
    VarHandle.acquireFence();
    return (long) LONG.getOpaque(MEMORY, line) - seq;
  }
}
