package io.isle.lib.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PositionsTest {
  @Test
  void behindTheLastPositionComesTheFirst() {
    Positions positions = new Positions(0, 5, 3);
    assertEquals(3, positions.at(0));
    assertEquals(4, positions.at(1));
    assertEquals(0, positions.at(2));
    assertEquals(3, positions.at(5_000_000_000L));
    assertEquals(Integer.MAX_VALUE, new Positions(0, Positions.ALL, 7).at(Positions.ALL - 8));
    assertThrows(IllegalArgumentException.class, () -> new Positions(0, 5, 5));
    assertThrows(IllegalArgumentException.class, () -> new Positions(0, Positions.ALL + 1, 5));
  }

  @Property(tries = 500)
  void indicesAreFoundByPosition(
      @ForAll @IntRange(min = 0, max = 9) int begin,
      @ForAll @IntRange(min = 1, max = 9) int count,
      @ForAll @IntRange(min = 0, max = 8) int start,
      @ForAll @IntRange(min = 0, max = 40) int from,
      @ForAll @IntRange(min = 0, max = 20) int position) {
    Positions positions = new Positions(begin, begin + count, begin + start % count);
    long next = -1;
    for (long i = from; i < from + count && next < 0; i++) {
      next = positions.at(i) == position ? i : -1;
    }
    assertEquals(next, positions.indexFrom(from, position));
    long before = -1;
    for (long i = 0; i < from; i++) {
      before = positions.at(i) == position ? i : before;
    }
    assertEquals(before, Math.max(-1, positions.indexBelow(from, position)));
  }

  @Test
  void whatLooksLikeControlIsFoundBeforehand() {
    assertTrue(Positions.looksLikeControl(49374) && Positions.looksLikeControl(49374 + 65536));
    assertEquals(-1, new Positions(0, Positions.ALL, 0).firstLikeControl(49374));
    assertEquals(49374, new Positions(0, Positions.ALL, 0).firstLikeControl(49375));
    assertEquals(114910, new Positions(0, Positions.ALL, 49375).firstLikeControl(1_000_000));
    assertEquals(49374, new Positions(0, 60000, 50000).firstLikeControl(1_000_000));
    assertEquals(-1, new Positions(0, 60000, 50000).firstLikeControl(59374));
    assertEquals(49374, new Positions(0, 60000, 50000).firstLikeControl(59375));
    assertEquals(-1, new Positions(0, 49374, 1).firstLikeControl(Long.MAX_VALUE));
  }
}
