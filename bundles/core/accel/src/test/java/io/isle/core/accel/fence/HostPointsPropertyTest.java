package io.isle.core.accel.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A timeline that the CPU moves, against the rules written plainly. */
class HostPointsPropertyTest {
  /** What is done: kind, point, and a code or a time. */
  record Step(int kind, long point, int detail) {}

  private static final int SIGNAL = 0;
  private static final int FAIL = 1;
  private static final int DEADLINE = 2;
  private static final int END = 3;

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> kinds =
        Arbitraries.frequency(
            net.jqwik.api.Tuple.of(12, SIGNAL),
            net.jqwik.api.Tuple.of(6, FAIL),
            net.jqwik.api.Tuple.of(2, DEADLINE),
            net.jqwik.api.Tuple.of(1, END),
            net.jqwik.api.Tuple.of(6, 4));
    Arbitrary<Long> points = Arbitraries.longs().between(-2, 150);
    return Combinators.combine(kinds, points, Arbitraries.integers().between(1, 40))
        .as(Step::new)
        .list()
        .ofMaxSize(60);
  }

  @Property(tries = 1000)
  void itDoesWhatTheRulesSay(@ForAll("steps") List<Step> steps) {
    new Model().run(steps);
  }

  private static final class Model {
    private long now;
    private long woken;
    private int rung;
    private long reached;
    private int over;
    private long deadlinePoint;
    private long deadlineAt;
    private final Map<Long, Integer> failures = new TreeMap<>();

    void run(List<Step> steps) {
      HostPoints points = new HostPoints(() -> now, point -> woken = Math.max(woken, point));
      points.watch(
          new Ringing() {
            @Override
            public void ring() {
              rung++;
            }

            @Override
            public boolean isGone() {
              return false;
            }
          });
      List<Long> waited = new ArrayList<>();
      for (Step step : steps) {
        woken = 0;
        int rings = rung;
        long before = reached;
        int overBefore = over;
        step(points, step);
        check(points);
        // no lost wake-up: whoever waits for what has changed is woken, and agents are rung
        if (over != overBefore) {
          assertEquals(Long.MAX_VALUE, woken);
        }
        if (reached != before) {
          assertTrue(woken >= reached);
          waited.add(reached);
        }
        assertTrue(rung > rings || reached == before && over == overBefore);
      }
      // each point once, in order
      assertEquals(waited.stream().distinct().sorted().toList(), waited);
    }

    private void step(HostPoints points, Step step) {
      switch (step.kind()) {
        case SIGNAL, FAIL -> {
          int code = step.kind() == FAIL ? -step.detail() : 0;
          assertEquals(signal(step.point(), code), points.signal(step.point(), code));
        }
        case DEADLINE -> {
          if (step.point() > 0) {
            deadlinePoint = step.point();
            deadlineAt = now + step.detail();
            points.deadline(deadlinePoint, deadlineAt);
          }
        }
        case END -> {
          assertEquals(over == 0, points.end(Errno.ECLOSED));
          over = over == 0 ? Errno.ECLOSED : over;
        }
        default -> now += step.detail();
      }
    }

    private int signal(long point, int code) {
      if (point < 1) {
        return -Errno.EINVAL;
      }
      expire();
      if (over != 0) {
        return -over;
      }
      if (point <= reached) {
        return -Errno.EINVAL;
      }
      reached = point;
      if (code != 0) {
        failures.put(point, code);
      }
      return 0;
    }

    private void expire() {
      if (over == 0 && deadlinePoint > reached && now >= deadlineAt) {
        over = Errno.ETIMEDOUT;
      }
    }

    private void check(HostPoints points) {
      for (long point = 1; point < 152; point++) {
        int outcome = points.outcome(point, now);
        expire();
        int wanted = point <= reached ? 0 : over != 0 ? -over : -Errno.EINPROGRESS;
        assertEquals(wanted, outcome);
        int status = points.status(point);
        if (point > reached) {
          assertEquals(wanted, status);
        } else if (reached - point >= HostTimeline.REMEMBERED) {
          assertEquals(-Errno.ESTALE, status);
        } else {
          assertEquals(failures.getOrDefault(point, 0), status);
        }
      }
      assertEquals(reached, points.reached());
      assertEquals(over, points.ended());
      boolean counts = over == 0 && deadlinePoint > reached;
      assertEquals(counts ? deadlineAt : Long.MAX_VALUE, points.nextDeadline());
    }
  }
}
