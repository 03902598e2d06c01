package io.isle.benchmarks.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.benchmarks.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final long MS = 1_000_000;
  private static final long PERIOD = 1000 * MS;
  private static final long CHANGED = 7 * PERIOD + 123 * MS;

  @Test
  void theErrorIsThatOfTheWorseGroup() {
    Map<String, Double> promised = Map.of("a", 0.5, "b", 0.25);
    assertEquals(2, FloodCase.error(Map.of("a", 0.49, "b", 0.25, "c", 0.26), promised), 1e-9);
    assertEquals(4, FloodCase.error(Map.of("a", 0.505, "b", 0.26, "c", 0.2), promised), 1e-9);
  }

  @Test
  void linesOfThePeerAreSharesOfACpu() throws IOException {
    DeadlineCase.Result result =
        DeadlineCase.Result.read(
            "half 500000 2000000000 4000000000\nquarter 250000 1000000000 4000000000\n"
                + "flood 0 800000000 4000000000\npinned 1\n");
    assertEquals(Map.of("half", 0.5, "quarter", 0.25, "flood", 0.2), result.shares());
    assertEquals(Map.of("half", 0.5, "quarter", 0.25), result.promised());
    assertTrue(result.pinned());
    assertEquals(0, FloodCase.error(result.shares(), result.promised()), 1e-9);
  }

  @Test
  void otherLinesOfThePeerAreMistakes() {
    assertThrows(IOException.class, () -> DeadlineCase.Result.read("half 1\n"));
    assertThrows(IOException.class, () -> DeadlineCase.Result.read("pinned 1\n"));
  }

  /** Samples each 5 ms, from a period before the change to three after it. */
  private static List<Sample> samples(LongUnaryOperator cpu) {
    List<Sample> samples = new ArrayList<>();
    for (long at = CHANGED - PERIOD; at <= CHANGED + 4 * PERIOD; at += 5 * MS) {
      samples.add(new Sample(at, cpu.applyAsLong(at)));
    }
    return samples;
  }

  private static long effect(LongUnaryOperator cpu, long quota) {
    return LimitCase.effect(samples(cpu), CHANGED, PERIOD, quota, 2 * PERIOD);
  }

  @Test
  void whatHoldsFromTheChangeOnTakesNoTime() {
    assertEquals(0, effect(at -> at / 4, PERIOD / 4));
  }

  @Test
  void anEffectIsWhereTheLastWrongStretchBegins() {
    long late = CHANGED + 300 * MS;
    LongUnaryOperator cpu = at -> at < late ? at / 2 : late / 2 + (at - late) / 4;
    // a stretch is wrong by a quarter of how far it begins before that, and 20 ms are let pass
    assertEquals(225 * MS, effect(cpu, PERIOD / 4), 10 * MS);
  }

  @Test
  void whatNeverComesIsAllThatIsWatched() {
    assertEquals(2 * PERIOD, effect(at -> at / 2, PERIOD / 4));
  }

  /** Each period's quota at its beginning, wherever in a period the change is. */
  @Test
  void burstsAreWhole() {
    for (long phase = 0; phase < PERIOD; phase += 50 * MS) {
      long shift = phase;
      LongUnaryOperator cpu =
          at -> {
            long time = at + shift;
            return time / PERIOD * (PERIOD / 4) + Math.min(time % PERIOD, PERIOD / 4);
          };
      assertEquals(0, effect(cpu, PERIOD / 4), "phase " + phase);
    }
  }

  @Test
  void theKernelIsAPeerOfTheSameRuns() {
    List<Row> rows = FloodCase.rows(new double[] {0.1, 0.2, 0.3}, new double[] {0.05, 0.1, 0.4});
    assertEquals(List.of("50-25-flood", "50-25-flood-deadline"), names(rows));
    assertEquals(0.5, rows.get(0).goal());
    assertNull(rows.get(0).peer());
    assertNull(rows.get(1).goal());
    assertEquals(0.2, rows.get(1).ours());
    assertEquals(0.1, rows.get(1).peer());
    double[] none = {Double.NaN, 0, 0};
    assertEquals(List.of("50-25-flood"), names(FloodCase.rows(new double[3], none)));
  }

  private static List<String> names(List<Row> rows) {
    return rows.stream().map(Row::name).toList();
  }

  @Test
  void aPaceIsKeptOverADelayButNotOverALongOne() {
    Pace pace = new Pace(10, 4);
    assertEquals(0, pace.leftNs(1000), "the first is due");
    pace.submitted(1000);
    assertEquals(10, pace.leftNs(1000));
    assertEquals(-15, pace.leftNs(1025), "one is late");
    pace.submitted(1025);
    assertEquals(-5, pace.leftNs(1025), "and so is the next");
    pace.submitted(1025);
    assertEquals(5, pace.leftNs(1025));
    pace.submitted(9000);
    for (int i = 0; i < 4; i++) {
      assertTrue(pace.leftNs(9000) < 0, "of a long time four are made up for");
      pace.submitted(9000);
    }
    assertEquals(0, pace.leftNs(9000));
  }

  @Test
  void whoHasNoPaceIsAlwaysDue() {
    Pace pace = Pace.any();
    pace.submitted(1000);
    assertEquals(0, pace.leftNs(1000));
  }

  @Test
  void aSampleBetweenTwoIsOnTheLine() {
    Sample before = new Sample(100, 10);
    assertEquals(new Sample(150, 35), new Sample(200, 60).back(before, 150));
    assertEquals(0.5, new Sample(200, 60).share(before), 1e-9);
  }
}
