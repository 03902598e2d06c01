package io.isle.inference.engine.score;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.inference.engine.score.DriftMachine.Look;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DriftMachineTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Score GOOD = score(900, 700);
  private static final Score INACCURATE = score(599, 300);
  private static final Score WORSE = score(800, 851);

  private long now = 3;
  private long outcomes = 200;
  private final DriftMachine machine = new DriftMachine(DriftLimits.DEFAULT, () -> now);

  @Test
  void threeBadLooksAreADrift() {
    assertEquals(List.of(Look.NOTHING, Look.NOTHING), looks(INACCURATE, INACCURATE));
    assertFalse(machine.detected());
    assertEquals(List.of(Look.DRIFTED), looks(WORSE));
    assertTrue(machine.detected());
    assertEquals(List.of(Look.NOTHING, Look.NOTHING), looks(WORSE, WORSE));
  }

  @Test
  void aGoodLookBetweenBeginsTheRowAnew() {
    assertEquals(
        List.of(Look.NOTHING, Look.NOTHING, Look.NOTHING, Look.NOTHING, Look.NOTHING),
        looks(WORSE, WORSE, GOOD, WORSE, WORSE));
  }

  @Test
  void threeGoodLooksEndIt() {
    var ignored = looks(WORSE, WORSE, WORSE);
    assertEquals(
        List.of(Look.NOTHING, Look.NOTHING, Look.NOTHING, Look.NOTHING, Look.NOTHING, Look.ENDED),
        looks(GOOD, GOOD, WORSE, GOOD, GOOD, GOOD));
    assertFalse(machine.detected());
  }

  @Test
  void theBoundsThemselvesAreGood() {
    assertEquals(
        List.of(Look.NOTHING, Look.NOTHING, Look.NOTHING),
        looks(score(600, 600), score(600, 650), score(1000, 1000)));
  }

  @Test
  void looksAreTenSecondsApart() {
    for (int i = 0; i < 29; i++) {
      now += SECOND;
      outcomes++;
      assertEquals(Look.NOTHING, machine.look(WORSE, outcomes));
    }
    now += SECOND;
    outcomes++;
    assertEquals(Look.DRIFTED, machine.look(WORSE, outcomes));
  }

  @Test
  void aLookWithoutEnoughOrWithoutNewOutcomesSaysNothing() {
    Score few = new Score(199, 0, 0, 199_000);
    for (int i = 0; i < 5; i++) {
      now += 10 * SECOND;
      assertEquals(Look.NOTHING, machine.look(few, ++outcomes));
    }
    var ignored = looks(WORSE, WORSE);
    for (int i = 0; i < 5; i++) {
      now += 10 * SECOND;
      assertEquals(Look.NOTHING, machine.look(WORSE, outcomes));
    }
    assertEquals(List.of(Look.DRIFTED), looks(WORSE));
  }

  @Test
  void aDriftOutlivesARestart() {
    machine.restore(true);
    assertTrue(machine.detected());
    assertEquals(List.of(Look.NOTHING, Look.NOTHING, Look.ENDED), looks(GOOD, GOOD, GOOD));
  }

  @Test
  void limitsAreCheckedAndMayChange() {
    assertThrows(IllegalArgumentException.class, () -> new DriftLimits(1.1, 0, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new DriftLimits(Double.NaN, 0, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new DriftLimits(0.5, -2, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new DriftLimits(0.5, 0, 0, 1, 1));
    machine.limits(new DriftLimits(0.95, 0, SECOND, 1, 200));
    assertEquals(List.of(Look.DRIFTED), looks(GOOD));
  }

  /** It changes exactly after three looks in a row that disagree with what is known. */
  @Property
  void changesAfterThreeThatDisagree(@ForAll @Size(max = 60) List<Boolean> bad) {
    long[] time = {0};
    DriftMachine some = new DriftMachine(DriftLimits.DEFAULT, () -> time[0]);
    boolean known = false;
    int inRow = 0;
    long total = 200;
    for (boolean one : bad) {
      inRow = one != known ? inRow + 1 : 0;
      if (inRow == 3) {
        known = one;
        inRow = 0;
      }
      time[0] += 10 * SECOND;
      var ignored = some.look(one ? WORSE : GOOD, ++total);
      assertEquals(known, some.detected());
    }
  }

  private List<Look> looks(Score... scores) {
    return Stream.of(scores)
        .map(
            score -> {
              now += 10 * SECOND;
              return machine.look(score, ++outcomes);
            })
        .toList();
  }

  private static Score score(int model, int heuristic) {
    return new Score(200, 0, 200L * model, 200L * heuristic);
  }
}
