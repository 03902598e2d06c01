package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.driver.Kernel;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/** Reads the range of a LAUNCH operation. Pure functions. */
final class LaunchRange {
  private static final int DIMENSIONS = 3;
  private static final long MAX_GROUP = (1L << 32) - 1;

  private LaunchRange() {}

  /** Null for one that no launch of the kernel can have. */
  static Call.Range of(MemorySegment commands, long at, Kernel kernel) {
    int dimensions = commands.get(U32, at + CommandOp.Launch.DIMENSIONS);
    if (dimensions < 1 || dimensions > DIMENSIONS) {
      return null;
    }
    long[] size = new long[DIMENSIONS];
    long[] offset = new long[DIMENSIONS];
    long[] local = new long[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      size[i] = commands.get(U64, at + CommandOp.Launch.SIZE + 8L * i);
      offset[i] = commands.get(U64, at + CommandOp.Launch.OFFSET + 8L * i);
      local[i] = commands.get(U32, at + CommandOp.Launch.LOCAL + 4L * i) & 0xffff_ffffL;
    }
    return isRange(dimensions, size, offset, local) ? chosen(size, offset, local, kernel) : null;
  }

  private static boolean isRange(int dimensions, long[] size, long[] offset, long[] local) {
    long items = 1;
    long group = 1;
    int sized = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
      boolean unused = i >= dimensions;
      if (unused && (size[i] != 1 || offset[i] != 0 || local[i] != 0)
          || size[i] == 0
          || Math.unsignedMultiplyHigh(items, size[i]) != 0
          || Long.compareUnsigned(offset[i] + size[i], size[i]) < 0) {
        return false;
      }
      items *= size[i];
      sized += local[i] == 0 ? 0 : 1;
      group *= Math.max(1, local[i]);
      if (Long.compareUnsigned(group, MAX_GROUP) > 0) {
        return false;
      }
    }
    return sized == 0 || sized == dimensions;
  }

  /**
   * With the work-group size that the device chooses, where none is given; null where it does not
   * fit.
   */
  static Call.Range chosen(long[] size, long[] offset, long[] local, Kernel kernel) {
    boolean given = local[0] != 0;
    long group = 1;
    for (int i = 0; i < DIMENSIONS; i++) {
      long required = kernel.groupSize().isEmpty() ? 0 : kernel.groupSize().get(i);
      if (given) {
        local[i] = Math.max(1, local[i]);
      } else {
        local[i] = Math.max(1, required);
      }
      group *= local[i];
      if (required != 0 && local[i] != required || Long.remainderUnsigned(size[i], local[i]) != 0) {
        return null;
      }
    }
    return group > Launch.MAX_GROUP ? null : new Call.Range(size, offset, local);
  }
}
