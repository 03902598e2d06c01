package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CoreTimeTest {
  @Test
  void aSmallStepBackStandsStillAndALargeOneMovesTheOrigin() {
    CoreTime time = new CoreTime(1_000 * MS);
    time.at(1_010 * MS);
    assertEquals(10 * MS, time.now());
    time.at(1_010 * MS - 500);
    assertEquals(10 * MS, time.now());
    time.at(1_010 * MS + 1);
    assertEquals(10 * MS + 1, time.now());
    time.at(5 * MS);
    assertEquals(10 * MS + 1, time.now());
    time.at(6 * MS);
    assertEquals(11 * MS + 1, time.now(), "it goes on from there");
    assertEquals(6 * MS, time.callers(time.now()));
  }

  @Property
  void itNeverGoesBackAndNeverOverflows(@ForAll long origin, @ForAll long[] times) {
    CoreTime time = new CoreTime(origin);
    for (int round = 0; round < 20; round++) {
      for (long t : times) {
        long before = time.now();
        time.at(t);
        assertTrue(time.now() >= before && time.now() < 1L << 61, time.now() + " at " + t);
      }
    }
  }

  @Test
  void aMachineThatIsOldCountsNoLargeStepsButAllSmallOnes() {
    CoreTime time = new CoreTime(0);
    long callers = 0;
    for (int i = 0; i < 200; i++) {
      callers += (1L << 55) - 1;
      time.at(callers);
    }
    long now = time.now();
    assertTrue(now >= 1L << 60 && now < 1L << 61, () -> "it is " + now);
    time.at(callers + MS);
    assertEquals(now + MS, time.now());
  }

  @Test
  void aContextIsServedAfterAnyJump() {
    SchedulingCore core = GuaranteesTest.core(1);
    core.setGroup(1, 0, 2 * MS, 10 * MS, 3 * MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    core.ready(0);
    long[] jumps = {0, 50 * MS, 7 * MS, Long.MAX_VALUE, 3 * MS, Long.MIN_VALUE, -5, 40 * MS};
    for (long jump : jumps) {
      long served = core.readings().started(0);
      for (long t = 0; t < 40; t++) {
        long now = jump + t * MS;
        if (core.next(now) == 0) {
          core.onStart(0, 0, now);
          core.onEnd(0, MS, now);
        }
      }
      assertTrue(core.readings().started(0) >= served + 8, "after " + jump);
    }
  }
}
