package io.isle.apps.jobs.run;

import io.isle.apps.jobs.spec.JobSpec;

/**
 * How an input is cut for a device.
 *
 * @param slots pieces that are on their way at a time; by default one read, one computed, one
 *     printed
 * @param units of a piece
 */
record ChunkPlan(int slots, long units) {
  static final long TARGET = 8L << 20;
  private static final int SLOTS = 3;

  /** Room that the device's allocator may take for itself, for each buffer. */
  private static final long OVERHEAD = 4096;

  /**
   * Plans pieces of about {@link #TARGET} bytes.
   *
   * @param pace for other sizes and numbers
   * @param units of the whole input, or -1
   * @param budget device memory that may be used
   * @param group units that a piece is a multiple of, where there are several pieces
   * @return a plan with no slots when not even one unit fits
   */
  static ChunkPlan of(Layout layout, JobSpec.Pace pace, long units, long budget, long group) {
    long target = pace.pieces().stream().max(Long::compare).orElse(TARGET);
    long wanted = Math.max(1, target / Math.max(1, layout.inputBytes()));
    if (units >= 0 && pace.forNs() == 0) {
      wanted = Math.clamp(units, 1, wanted);
    }
    // A dispatch counts its units in 31 bits.
    wanted = Math.min(wanted, Integer.MAX_VALUE);
    for (int slots = pace.depth() > 0 ? pace.depth() : SLOTS; slots > 0; slots--) {
      long room = budget / slots - layout.lanes().size() * OVERHEAD - layout.fixedBytes();
      long fits = Math.min(wanted, room / Math.max(1, layout.unitBytes()));
      if (fits >= 1) {
        boolean all = units >= 0 && fits >= units && pace.forNs() == 0;
        return new ChunkPlan(slots, all || fits < group ? fits : fits - fits % group);
      }
    }
    return new ChunkPlan(0, 0);
  }
}
