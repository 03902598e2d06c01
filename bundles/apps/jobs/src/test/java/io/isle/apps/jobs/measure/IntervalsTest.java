package io.isle.apps.jobs.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class IntervalsTest {
  @Test
  void thoseThatTouchBecomeOne() {
    Intervals intervals = new Intervals(Integer.MAX_VALUE);
    intervals.add(20, 30);
    intervals.add(5, 10);
    intervals.add(10, 12);
    intervals.add(25, 26);
    assertArrayEquals(new long[] {5, 12, 20, 30}, intervals.list());
    assertEquals(2 + 5, intervals.covered(10, 25));
  }

  /** In whatever order they come, and however often they are put together meanwhile. */
  @Property(tries = 50)
  void coverWhatTheyCover(
      @ForAll @Size(max = 5000) List<@IntRange(max = 20_000) Integer> starts,
      @ForAll @IntRange(max = 9) int length) {
    Intervals intervals = new Intervals(Integer.MAX_VALUE);
    BitSet plain = new BitSet();
    for (int start : starts) {
      intervals.add(start, start + length);
      plain.set(start, start + length);
    }
    assertEquals(plain.get(100, 15_000).cardinality(), intervals.covered(100, 15_000));
  }

  @Test
  void moreThanTheLimitAreJoined() {
    Intervals intervals = new Intervals(100);
    for (int i = 0; i < 100_000; i++) {
      intervals.add(i * 10_000L, i * 10_000L + 5000);
    }
    long[] list = intervals.list();
    assertTrue(list.length <= 200, "intervals " + list.length / 2);
    assertEquals(0, list[0]);
    assertEquals(99_999 * 10_000L + 5000, list[list.length - 1]);
  }
}
