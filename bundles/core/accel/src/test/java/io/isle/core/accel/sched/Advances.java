package io.isle.core.accel.sched;

import java.util.Random;

/** Charges in advance that a core may be given. */
final class Advances {
  private Advances() {}

  /** Mostly the average, else one that is far too small, far too large, or neither. */
  static long any(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> Long.MAX_VALUE;
      case 2 -> random.nextLong(1L << random.nextInt(41));
      case 3 -> random.nextLong(400_000);
      default -> SchedulingCore.AVERAGE;
    };
  }
}
