package io.isle.core.accel.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class Log2Test {
  @Test
  void powersOfTwoAreExact() {
    for (int i = 0; i < 63; i++) {
      assertEquals(i * 256, Log2.fine(1L << i));
      assertEquals(i * 16, Log2.of(1L << i));
      assertEquals(1L << i, Log2.power(i * 16));
    }
    assertEquals(0, Log2.of(0));
    assertEquals(0, Log2.of(Long.MIN_VALUE));
    assertEquals(1008, Log2.of(Long.MAX_VALUE));
  }

  @Property
  void logarithmsAreNear(@ForAll @LongRange(min = 1) long value) {
    double log = Math.log(value) / Math.log(2);
    assertEquals(256 * log, Log2.fine(value), 2, () -> "of " + value);
    assertEquals(16 * log, Log2.of(value), 0.5 + 2.0 / 16, () -> "of " + value);
  }

  @Property
  void greaterNumbersHaveNoSmallerLogarithms(
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE - 1) long value) {
    assertTrue(Log2.fine(value + 1) >= Log2.fine(value));
  }

  @Property
  void powersAreTheWayBack(@ForAll @IntRange(min = 0, max = 1007) int log) {
    assertEquals(Math.pow(2, log / 16.0), Log2.power(log), 1 + Math.pow(2, log / 16.0) / 1e8);
    if (log > 96) {
      assertEquals(log, Log2.of(Log2.power(log)));
    }
  }
}
