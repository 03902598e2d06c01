package io.isle.inference.engine.decide;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DecisionRingTest {
  private final DecisionRecord record = new DecisionRecord(2, 1);

  private static long write(DecisionRing ring, int n) {
    return ring.write(new int[] {n, 2 * n}, new int[] {3 * n}, n % 2 == 0);
  }

  @Test
  void aRecordComesBackWithItsOutcome() {
    DecisionRing ring = new DecisionRing(4, 2, 1);
    long first = write(ring, 1);
    long second = write(ring, 2);
    assertFalse(ring.read(record));
    ring.tell(second, new int[] {22});
    ring.tell(first, new int[] {11});
    assertTrue(ring.read(record));
    assertArrayEquals(new int[] {2, 4}, record.features);
    assertArrayEquals(new int[] {6}, record.answer);
    assertArrayEquals(new int[] {22}, record.actual);
    assertTrue(record.byModel);
    assertTrue(ring.read(record));
    assertArrayEquals(new int[] {1, 2}, record.features);
    assertFalse(record.byModel);
    assertFalse(ring.read(record));
    assertEquals(0, ring.lost());
  }

  @Test
  void unknownForgottenAndRepeatedTicketsAreIgnored() {
    DecisionRing ring = new DecisionRing(2, 2, 1);
    long old = write(ring, 1);
    for (int i = 0; i < DecisionRing.records(2); i++) {
      old = Math.min(old, write(ring, i));
    }
    long known = write(ring, 9);
    ring.tell(old, new int[] {1});
    ring.tell(0, new int[] {1});
    ring.tell(-3, new int[] {1});
    ring.tell(known + 1, new int[] {1});
    ring.tell(known, new int[] {});
    assertFalse(ring.read(record));
    ring.tell(known, new int[] {5});
    ring.tell(known, new int[] {6});
    assertTrue(ring.read(record));
    assertArrayEquals(new int[] {5}, record.actual);
    assertFalse(ring.read(record));
  }

  @Property
  void twiceTheOutstandingDecisionsAreKept(@ForAll @IntRange(min = 1, max = 1 << 16) int most) {
    int records = DecisionRing.records(most);
    assertTrue(records >= 2 * most && records < 4 * most, most + " " + records);
    assertEquals(1, Integer.bitCount(records));
  }

  @Test
  void whatNobodyReadsIsLostAndCounted() {
    DecisionRing ring = new DecisionRing(2, 2, 1);
    int all = 3 * DecisionRing.records(2);
    for (int i = 0; i < all; i++) {
      ring.tell(write(ring, i), new int[] {i});
    }
    int read = 0;
    while (ring.read(record)) {
      read++;
      assertEquals(record.features[0], record.actual[0]);
    }
    assertEquals(all, read + ring.lost());
    assertEquals(DecisionRing.records(2), read);
  }
}
