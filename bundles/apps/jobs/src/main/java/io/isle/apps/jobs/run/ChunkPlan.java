package io.isle.apps.jobs.run;

import java.util.OptionalInt;

/**
 * How an input is cut for a device.
 *
 * @param slots pieces that are on their way at a time: one read, one computed, one printed
 * @param bytes of a piece, a multiple of the shape's unit
 */
record ChunkPlan(int slots, long bytes) {
  static final long TARGET = 8L << 20;
  private static final int SLOTS = 3;

  /** Room that the device's allocator may take for itself, a page for each of two buffers. */
  private static final long OVERHEAD = 2 * 4096;

  /**
   * Plans pieces of about {@link #TARGET} bytes.
   *
   * @param size of the input, or -1
   * @param budget device memory that may be used
   * @return a plan with no slots when not even one unit fits
   */
  static ChunkPlan of(Shape shape, long size, long budget) {
    long wanted = Math.max(1, TARGET / shape.unit());
    if (size >= 0) {
      wanted = Math.clamp(shape.units(size), 1, wanted);
    }
    for (int slots : new int[] {SLOTS, 2, 1}) {
      OptionalInt fits = units(shape, budget / slots, wanted);
      if (fits.isPresent()) {
        return new ChunkPlan(slots, fits.getAsInt() * shape.unit());
      }
    }
    return new ChunkPlan(0, 0);
  }

  private static OptionalInt units(Shape shape, long room, long wanted) {
    long forUnits = room - OVERHEAD - (shape.sum() ? shape.record() : 0);
    long perUnit = shape.unit() + (shape.sum() ? 0 : shape.record());
    long units = Math.min(wanted, forUnits / perUnit);
    return units >= 1 ? OptionalInt.of((int) units) : OptionalInt.empty();
  }
}
