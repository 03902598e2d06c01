package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EchoWindowTest {
  private static final int SIZE = 5;

  /** Against the numbers on their way, with the times of their last sending. */
  @Property(tries = 500)
  void theWindowIsThatOfAModel(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 99) Integer> steps) {
    EchoWindow window = new EchoWindow(SIZE);
    TreeMap<Long, Long> due = new TreeMap<>();
    long low = 0;
    long next = 0;
    long now = 0;
    for (int step : steps) {
      now += step;
      if (step < 50 && next - low < SIZE) {
        assertTrue(window.hasRoom());
        assertEquals(next, window.next());
        window.sent(now);
        due.put(next++, now);
      } else if (step < 90) {
        long number = low - 1 + step % (SIZE + 2);
        assertEquals(due.containsKey(number), window.isDue(number));
        if (due.remove(number) != null) {
          window.replied(number);
        }
        while (low < next && !due.containsKey(low)) {
          assertTrue(window.isOldestReplied());
          window.forward();
          low++;
        }
      } else {
        long at = now;
        long overdue =
            due.entrySet().stream()
                .filter(one -> at - one.getValue() > 100)
                .mapToLong(java.util.Map.Entry::getKey)
                .findFirst()
                .orElse(-1);
        assertEquals(overdue, window.overdue(100, now));
        if (overdue >= 0) {
          boolean ignored = window.resent(overdue, now);
          due.put(overdue, now);
        }
      }
      assertEquals(low, window.low());
      assertEquals(low < next, window.isDue());
      assertEquals(next - low < SIZE, window.hasRoom());
      assertFalse(window.isOldestReplied());
    }
  }

  @Test
  void aNumberIsLostOnce() {
    EchoWindow window = new EchoWindow(1);
    for (int i = 0; i < 3; i++) {
      window.sent(0);
      assertTrue(window.resent(i, 5));
      assertFalse(window.resent(i, 10));
      window.replied(i);
      window.forward();
    }
  }
}
