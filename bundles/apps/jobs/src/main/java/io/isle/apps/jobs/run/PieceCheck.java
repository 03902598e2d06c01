package io.isle.apps.jobs.run;

import java.lang.foreign.MemorySegment;

/** Compares the results of a piece with what its input should give. Used by one thread. */
@FunctionalInterface
interface PieceCheck {
  /**
   * Looks at the results of a piece; pieces come in order.
   *
   * @throws io.isle.api.jobs.JobException when that ends the job
   */
  void check(Chunk chunk, MemorySegment found) throws InterruptedException;
}
