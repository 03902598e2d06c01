package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The watchdog at any times, against the rule stated plainly. */
class WatchdogPropertyTest {
  private static final int CAPACITY = 4;
  private static final long GRACE = 100;
  private static final long[] LIMITS = {700, 3000, 0};

  @Property(tries = 500)
  void stepsComeInOrderAndNoneBeforeTheLimit(
      @ForAll @Size(max = 80) List<@IntRange(min = 0, max = 1 << 16) Integer> script) {
    InFlightTable inFlight = new InFlightTable(CAPACITY, CAPACITY);
    StartTimes starts = new StartTimes(CAPACITY);
    Watchdog watchdog = new Watchdog(LIMITS.length, inFlight, starts);
    for (int c = 0; c < LIMITS.length; c++) {
      watchdog.onOpen(c, LIMITS[c]);
    }
    long[] notBefore = new long[CAPACITY];
    int[] steps = new int[CAPACITY];
    long now = 0;
    for (int step : script) {
      now += step % 700;
      long promised = watchdog.nextScan();
      int found = watchdog.scan(now, GRACE);
      assertTrue(found == 0 || promised <= now, "found " + found + " before " + promised);
      for (int i = 0; i < found; i++) {
        int index = watchdog.due(i);
        assertTrue(notBefore[index] <= now, "index " + index + " too early");
        assertEquals(++steps[index], watchdog.step(index).ordinal(), "one step at a time");
        notBefore[index] = now + GRACE;
      }
      int index = step % CAPACITY;
      switch (step >> 14) {
        case 0, 1 -> {
          if (!inFlight.isFull()) {
            int c = step % LIMITS.length;
            int added = inFlight.add(c, 1, false);
            watchdog.onDispatch(added, now, 0);
            steps[added] = 0;
            notBefore[added] = LIMITS[c] == 0 ? Long.MAX_VALUE : now + LIMITS[c];
          }
        }
        case 2 -> starts.started(inFlight.tag(index), now);
        default -> {
          if (inFlight.context(index) >= 0) {
            inFlight.remove(index);
            watchdog.onCompletion(now);
          }
        }
      }
    }
  }
}
