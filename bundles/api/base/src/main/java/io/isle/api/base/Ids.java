package io.isle.api.base;

/**
 * Core ids: a long made of kind (8 bits, high), generation (24 bits) and index (32 bits).
 *
 * <p>The generation of an index grows each time the index is used again, so that an old id is told
 * from the new owner of its place. Generation 0 is never given out; the long 0 is "none". Pure
 * functions, safe for any thread.
 */
public final class Ids {
  public static final int DEVICE = 1;
  public static final int CONTEXT = 2;
  public static final int MEMORY = 3;
  public static final int PROGRAM = 4;
  public static final int TIMELINE = 5;
  public static final int CAPABILITY = 6;
  public static final int FRAMEBUFFER = 7;
  public static final int HOST_TIMELINE = 8;

  /** Generations run from 1 to this, then start again at 1. */
  public static final int MAX_GENERATION = (1 << 24) - 1;

  private Ids() {}

  /**
   * Packs an id.
   *
   * @param kind 1 to 255
   * @param generation 1 to {@link #MAX_GENERATION}
   * @param index 0 to 2^31 - 1
   * @throws IllegalArgumentException naming the part that is out of range
   */
  public static long of(int kind, int generation, int index) {
    if (kind < 1 || kind > 255) {
      throw new IllegalArgumentException("kind " + kind + " is not in 1..255");
    }
    if (generation < 1 || generation > MAX_GENERATION) {
      throw new IllegalArgumentException("generation " + generation + " is not in 1..2^24-1");
    }
    if (index < 0) {
      throw new IllegalArgumentException("index " + index + " is negative");
    }
    return ((long) kind << 56) | ((long) generation << 32) | index;
  }

  public static int kind(long id) {
    return (int) (id >>> 56);
  }

  public static int generation(long id) {
    return (int) (id >>> 32) & MAX_GENERATION;
  }

  public static int index(long id) {
    return (int) id;
  }

  /** The generation that follows {@code generation}. */
  public static int nextGeneration(int generation) {
    return generation >= MAX_GENERATION ? 1 : generation + 1;
  }

  /** The id as shown to people and in JSON: 16 hexadecimal digits. */
  public static String text(long id) {
    return String.format("%016x", id);
  }
}
