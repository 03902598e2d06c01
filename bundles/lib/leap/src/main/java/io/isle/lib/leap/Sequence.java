package io.isle.lib.leap;

/** Arithmetic of sequences of 16 bits. Pure functions, safe for any thread. */
public final class Sequence {
  private Sequence() {}

  /** The sequence {@code count} frames later, 0 to 65535. */
  public static int plus(int sequence, long count) {
    return (int) (sequence + count) & 0xFFFF;
  }

  /** Frames from one sequence to another, -32768 to 32767: the shorter way. */
  public static int distance(int from, int to) {
    return (short) (to - from);
  }

  /**
   * Sequence of a numbered frame of dialect isle; frame 1 has {@link ChunkHeader#FIRST_SEQUENCE}.
   */
  public static int ofNumber(long number) {
    return plus(ChunkHeader.FIRST_SEQUENCE, number - 1);
  }
}
