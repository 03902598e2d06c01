package io.isle.lib.model.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CoefficientsTest {
  @Test
  void aBoundAddsUpAndIsRoundedUp() {
    Coefficients some = new Coefficients(100_000, 2_000, 3_000, 40, 5, 60_000);
    assertEquals(100, some.boundNs(new Cost(0, 0, 0, 0, 0)));
    assertEquals(101, some.boundNs(new Cost(0, 0, 1, 0, 0)));
    assertEquals(100 + 20 + 12 + 1 + 2 + 180, some.boundNs(new Cost(10, 4, 25, 400, 3)));
  }

  @Test
  void theLargestModelHasABound() {
    Coefficients slow = new Coefficients(1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30);
    Cost most = new Cost(Integer.MAX_VALUE, Integer.MAX_VALUE, 16_384, 262_144, 4);
    assertTrue(slow.boundNs(most) > 4_000_000_000_000_000L);
  }

  @Test
  void loadsTouchAtMostTheirPages() {
    assertEquals(new Cost(10, 2, 0, 0, 0), Cost.ofLoads(10, 100));
    assertEquals(new Cost(10, 10, 0, 0, 0), Cost.ofLoads(10, 1 << 20));
    assertEquals(1, Cost.lines(1));
    assertEquals(2, Cost.lines(2));
    assertEquals(5, Cost.lines(64));
  }

  @Test
  void thisMachineIsMeasuredOnce() {
    Coefficients here = Coefficients.ofThisMachine();
    assertSame(here, Coefficients.ofThisMachine());
    assertTrue(here.call() > 0 && here.mac() > 0 && here.load() > 0, here.toString());
  }
}
