package io.isle.core.accel.sched;

import java.util.Random;

/** Models, from none over useless ones to one of any worth. */
enum Answers {
  NONE,
  ZERO,
  MAXIMAL,
  RANDOM,
  RANDOM_MAGNITUDE,
  UP_OR_DOWN;

  long next(Random random) {
    return switch (this) {
      case NONE -> -1;
      case ZERO -> 0;
      case MAXIMAL -> Long.MAX_VALUE;
      case RANDOM -> random.nextLong(Long.MAX_VALUE);
      case RANDOM_MAGNITUDE -> random.nextLong(1L << random.nextInt(63));
      case UP_OR_DOWN -> random.nextBoolean() ? 0 : Long.MAX_VALUE;
    };
  }
}
