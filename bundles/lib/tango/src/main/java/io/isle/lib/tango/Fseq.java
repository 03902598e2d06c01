package io.isle.lib.tango;

import static io.isle.lib.tango.TangoLayout.LONG;
import static io.isle.lib.tango.TangoLayout.U64;

import io.isle.lib.tango.TangoLayout.FseqBlock;
import java.lang.foreign.MemorySegment;

/**
 * Progress of a reliable consumer: all fragments below a number are used up, and the producer may
 * overwrite them. One thread writes at a time; any thread reads. Nothing of the data path allocates
 * or throws.
 */
public final class Fseq {
  /** First word of an fseq. */
  public static final long MAGIC_VALUE = 0xF17EDA2C37F5EC00L;

  /** Bytes of an fseq, and its alignment in memory. */
  public static final int BYTES = FseqBlock.BLOCK_BYTES;

  private final MemorySegment memory;
  private final long seq0;

  private Fseq(MemorySegment memory, long seq0) {
    this.memory = memory;
    this.seq0 = seq0;
  }

  /**
   * Makes an fseq. The magic number is written last.
   *
   * @param memory at least {@link #BYTES} at a multiple of them
   * @param seq0 first number, unsigned
   * @throws IllegalArgumentException naming the limit
   */
  public static Fseq create(MemorySegment memory, long seq0) {
    Memory.require("an fseq", memory, BYTES, BYTES);
    memory.asSlice(0, BYTES).fill((byte) 0);
    memory.set(U64, FseqBlock.SEQ0, seq0);
    memory.set(U64, FseqBlock.SEQ, seq0);
    LONG.setRelease(memory, FseqBlock.MAGIC, MAGIC_VALUE);
    return new Fseq(memory, seq0);
  }

  /**
   * Opens an fseq of another program.
   *
   * @throws IllegalArgumentException naming the field and its limit
   */
  public static Fseq open(MemorySegment memory) {
    Memory.require("an fseq", memory, BYTES, BYTES);
    Memory.requireMagic("an fseq", memory, MAGIC_VALUE);
    return new Fseq(memory, memory.get(U64, FseqBlock.SEQ0));
  }

  /** Whether the magic number of an fseq is at the begin of this memory. */
  static boolean isAt(MemorySegment memory) {
    return memory.byteSize() >= BYTES && memory.get(U64, FseqBlock.MAGIC) == MAGIC_VALUE;
  }

  /** First number, unsigned. */
  public long seq0() {
    return seq0;
  }

  /** Number of the next fragment that the consumer has use for, unsigned and unchecked. */
  public long seq() {
    return (long) LONG.getAcquire(memory, FseqBlock.SEQ);
  }

  /** Gives all fragments below a number back; reads of their payloads stay before this. */
  public void seq(long seq) {
    LONG.setRelease(memory, FseqBlock.SEQ, seq);
  }

  /** The application's region: counters of the consumer, 96 bytes. */
  public MemorySegment app() {
    return memory.asSlice(FseqBlock.APP, BYTES - FseqBlock.APP);
  }
}
