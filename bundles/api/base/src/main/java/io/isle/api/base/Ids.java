package io.isle.api.base;

/**
 * Core ids: a long of kind (8 bits, high), generation (24 bits) and index (32 bits).
 *
 * <p>Each reuse of an index increments the generation, so an old id never equals the id of the new
 * owner of the index. Generation 0 is never used; the long 0 means "no object". Pure functions,
 * safe for any thread.
 */
public final class Ids {
  /** Kind: device. */
  public static final int DEVICE = 1;

  /** Kind: context. */
  public static final int CONTEXT = 2;

  /** Kind: memory object. */
  public static final int MEMORY = 3;

  /** Kind: program. */
  public static final int PROGRAM = 4;

  /** Kind: timeline of a context. */
  public static final int TIMELINE = 5;

  /** Kind: capability. */
  public static final int CAPABILITY = 6;

  /** Kind: framebuffer. */
  public static final int FRAMEBUFFER = 7;

  /** Kind: timeline of a tenant. */
  public static final int HOST_TIMELINE = 8;

  /** Largest generation; the next generation is 1. */
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

  /** The kind of an id, 0 to 255. */
  public static int kind(long id) {
    return (int) (id >>> 56);
  }

  /** The generation of an id, 0 to {@link #MAX_GENERATION}. */
  public static int generation(long id) {
    return (int) (id >>> 32) & MAX_GENERATION;
  }

  /** The index of an id. */
  public static int index(long id) {
    return (int) id;
  }

  /** The successor of a generation: the next number, and 1 after {@link #MAX_GENERATION}. */
  public static int nextGeneration(int generation) {
    return generation >= MAX_GENERATION ? 1 : generation + 1;
  }

  /** The id in output and JSON: 16 hexadecimal digits. */
  public static String text(long id) {
    return String.format("%016x", id);
  }
}
