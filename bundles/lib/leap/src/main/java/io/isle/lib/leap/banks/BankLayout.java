package io.isle.lib.leap.banks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a segment for frames of one direction: the 64 receive banks of LEAP's kernel
 * module, a state line a bank, then two lines of each side. Little-endian; offsets in bytes.
 *
 * <p>Frame n, from 1, lies in bank n % 64. The writer fills the bank, then length and source, and
 * releases the number last. The reader copies the frame, then releases the number of the last frame
 * that it took; the bank of frame n is free once frame n - 64 was taken.
 *
 * <p>A side that prepares to sleep, the reader for a frame or the writer for a free bank, counts in
 * its second line, and then looks once more. The other side compares this number after each frame,
 * and rings when it has changed. Between the write and the look of each side is a full fence, so
 * one of both sees the other: no wake-up is lost.
 */
public final class BankLayout {
  /** Number of banks. */
  public static final int BANKS = 64;

  /** Bytes of a bank, and of the largest frame. */
  public static final int BANK_BYTES = 131_072;

  /** Bytes of a line, which one side writes. */
  public static final int LINE_BYTES = 64;

  /** Bytes of a frame that its reader looks at before the frame is there. */
  static final int AWAITED_BYTES = 2 * LINE_BYTES;

  /** Offset of the first bank's state line. */
  public static final long STATES = (long) BANKS * BANK_BYTES;

  /** Bytes of the lines of a side, so far from each other that processors fetch them apart. */
  private static final long SIDE_BYTES = 4L * LINE_BYTES;

  /** Offset of the reader's lines. */
  public static final long READER = STATES + (long) BANKS * LINE_BYTES;

  /** Offset of the writer's lines. */
  public static final long WRITER = READER + SIDE_BYTES;

  /** Bytes of the segment: a multiple of 4096. */
  public static final long BYTES = (WRITER + SIDE_BYTES + 4095) / 4096 * 4096;

  /** In a state line: number of the frame in the bank, u64; 0 before the first one. */
  public static final long NUMBER = 0;

  /** In a state line: bytes of the frame, u32. */
  public static final long LENGTH = 8;

  /** In a state line: session of the sender, u64. */
  public static final long SOURCE = 16;

  /** In the reader's first line: number of the last frame taken, u64. */
  public static final long TAKEN = 0;

  /**
   * The second line of a side: how often the side prepared to sleep, u64; the other side rings
   * once. The other side reads this line for each frame, so no other field is there.
   */
  public static final long SLEEPS = 2L * LINE_BYTES;

  static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG = U64.varHandle();

  private BankLayout() {}

  /** Bank of a frame. */
  public static int bank(long number) {
    return (int) (number & (BANKS - 1));
  }

  /** Offset of a frame's bank. */
  public static long offset(long number) {
    return (long) bank(number) * BANK_BYTES;
  }

  static long state(long number) {
    return STATES + (long) bank(number) * LINE_BYTES;
  }

  /**
   * Checks a segment of a peer.
   *
   * @throws IllegalArgumentException with the size it must have
   */
  static MemorySegment require(MemorySegment segment) {
    if (segment.byteSize() < BYTES || segment.address() % LINE_BYTES != 0) {
      throw new IllegalArgumentException(
          "a segment of banks has "
              + BYTES
              + " bytes at a multiple of 64, not "
              + segment.byteSize()
              + " at "
              + segment.address());
    }
    return segment;
  }
}
