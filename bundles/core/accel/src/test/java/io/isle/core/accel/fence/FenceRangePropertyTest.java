package io.isle.core.accel.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.FenceProtocolSupport;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class FenceRangePropertyTest {
  /** Within the window, values say the same as the points that they stand for. */
  @Property(tries = 2000)
  void valuesCompareLikePoints(
      @ForAll @LongRange(min = 3) long most,
      @ForAll @LongRange(min = 0) long point,
      @ForAll long apart) {
    FenceRange range = new FenceRange(most);
    long distance = Math.floorMod(apart, Math.max(1, Math.min(range.window(), 1L << 62)) + 1);
    Assume.that(point <= Long.MAX_VALUE - distance);
    long later = point + distance;
    FenceProtocolSupport device = device(most);
    assertTrue(device.reached(range.value(later), range.value(point)));
    assertEquals(distance == 0, device.reached(range.value(point), range.value(later)));
    if (most < Long.MAX_VALUE) {
      assertTrue(range.value(later) >= 0 && range.value(later) <= most);
    }
  }

  /** The same where it matters: around each wrap of small ranges. */
  @Property(tries = 2000)
  void valuesCompareLikePointsAroundTheWrap(
      @ForAll @LongRange(min = 3, max = 300) long most,
      @ForAll @LongRange(min = 0, max = 2000) long point,
      @ForAll @LongRange(min = 0, max = 150) long apart) {
    FenceRange range = new FenceRange(most);
    long distance = Math.min(apart, range.window());
    FenceProtocolSupport device = device(most);
    assertTrue(device.reached(range.value(point + distance), range.value(point)));
    assertEquals(distance == 0, device.reached(range.value(point), range.value(point + distance)));
  }

  private static FenceProtocolSupport device(long most) {
    return new FenceProtocolSupport(true, false, false, most);
  }

  /** No value of the range is left out, and none is used twice within it. */
  @Property
  void eachValueIsUsedOnceARound(
      @ForAll @LongRange(min = 3, max = 100) long most,
      @ForAll @LongRange(min = 0, max = 10_000) long from) {
    FenceRange range = new FenceRange(most);
    boolean[] seen = new boolean[(int) most + 1];
    for (long point = from; point <= from + most; point++) {
      int value = (int) range.value(point);
      assertTrue(!seen[value]);
      seen[value] = true;
    }
  }

  @Example
  void unlimitedOnesNeverWrap() {
    for (long most : new long[] {0, Long.MAX_VALUE}) {
      FenceRange range = new FenceRange(most);
      assertEquals(Long.MAX_VALUE, range.value(Long.MAX_VALUE));
      assertEquals(Long.MAX_VALUE, range.window());
      assertTrue(device(most).reached(Long.MAX_VALUE, 0));
      assertTrue(!device(most).reached(0, Long.MAX_VALUE));
    }
    assertThrows(IllegalArgumentException.class, () -> new FenceRange(2));
    assertThrows(IllegalArgumentException.class, () -> new FenceRange(-1));
  }
}
