package io.isle.drivers.sim;

import java.lang.foreign.MemorySegment;

/**
 * What a kernel is called with; arguments by their places.
 *
 * @param buffers ranges of the buffers, else null
 * @param values bits of the numbers; bytes of local memory
 * @param bytes the values that are given by bytes, else null
 */
record Call(MemorySegment[] buffers, long[] values, MemorySegment[] bytes, Range range) {
  /**
   * Work items, in three dimensions.
   *
   * @param size how many
   * @param offset the first id
   * @param local how many a work-group has, at least 1
   */
  record Range(long[] size, long[] offset, long[] local) {}

  static Call of(int arguments, Range range) {
    return new Call(
        new MemorySegment[arguments], new long[arguments], new MemorySegment[arguments], range);
  }
}
