package io.isle.lib.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BackoffTest {
  @Property
  void delaysDoubleUpToTheirLimitAndVaryByOneHalf(@ForAll long seed) {
    Backoff backoff = new Backoff(new Random(seed));
    for (int round = 0; round < 2; round++) {
      long limit = Backoff.FIRST_NS;
      for (int i = 0; i < 10; i++) {
        long delay = backoff.next();
        assertTrue(delay >= limit / 2 && delay <= limit, delay + " of " + limit);
        limit = Math.min(Backoff.MOST_NS, 2 * limit);
      }
      assertEquals(Backoff.MOST_NS, limit);
      backoff.reset();
    }
  }

  @Property(tries = 20)
  void nodesThatFailTogetherTryApart(@ForAll long seed) {
    Backoff one = new Backoff(new Random(seed));
    Backoff other = new Backoff(new Random(seed + 1));
    int equal = 0;
    for (int i = 0; i < 8; i++) {
      equal += one.next() == other.next() ? 1 : 0;
    }
    assertTrue(equal < 8);
  }
}
