package io.isle.inference.engine.score;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ScoreWindowTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 5;
  private final ScoreWindow window = new ScoreWindow(() -> now);

  @Test
  void withoutOutcomesThereIsNoScore() {
    assertEquals(Score.NONE, window.score());
    assertEquals(0, window.score().accuracy());
  }

  @Test
  void countsWhatIsAtLeastHalfRight() {
    window.add(499, 1000);
    window.add(500, 0);
    window.add(1000, 0);
    assertEquals(new Score(3, 2, 1999, 1000), window.score());
    assertEquals(1999 / 3000.0, window.score().accuracy(), 1e-12);
    assertEquals(1 / 3.0, window.score().heuristicAccuracy(), 1e-12);
    assertEquals(999 / 3000.0, window.score().advantage(), 1e-12);
  }

  @Test
  void fewOutcomesStayHoweverOld() {
    add(300, 0);
    now += 3600 * SECOND;
    assertEquals(200, window.score().outcomes());
    add(150, 1000);
    assertEquals(new Score(200, 150, 150_000, 0), window.score());
    assertEquals(450, window.total().outcomes());
  }

  @Test
  void manyOutcomesAreThoseOfTheLastMinute() {
    add(1000, 0);
    now += 30 * SECOND;
    add(500, 1000);
    assertEquals(new Score(1500, 500, 500_000, 0), window.score());
    now += 30 * SECOND;
    assertEquals(new Score(500, 500, 500_000, 0), window.score(), "the first are 60 s old");
    now += 30 * SECOND;
    assertEquals(200, window.score().outcomes());
  }

  @Test
  void valuesOutOfRangeCountAsTheNearestBound() {
    window.add(Integer.MAX_VALUE, Integer.MIN_VALUE);
    assertEquals(new Score(1, 1, 1000, 0), window.score());
  }

  @Test
  void aSmallerWindowKeepsTheNewestAndALargerOneWhatThereWas() {
    window.limits(new WindowLimits(60, 3, 500));
    for (int score = 1; score <= 5; score++) {
      now += 100 * SECOND;
      window.add(100 * score, 0);
    }
    assertEquals(new Score(3, 1, 1200, 0), window.score());
    window.limits(new WindowLimits(60, 2, 400));
    assertEquals(new Score(2, 2, 900, 0), window.score());
    window.limits(new WindowLimits(60, 100, 400));
    assertEquals(new Score(2, 2, 900, 0), window.score());
    window.add(700, 0);
    assertEquals(new Score(3, 3, 1600, 0), window.score());
  }

  @Test
  void secondsBeyondANewWindowAreForgotten() {
    window.limits(new WindowLimits(60, 1, 500));
    for (int i = 0; i < 59; i++) {
      window.add(1000, 0);
      now += SECOND;
    }
    assertEquals(59, window.score().outcomes());
    window.limits(new WindowLimits(10, 1, 500));
    assertEquals(9, window.score().outcomes());
    window.limits(new WindowLimits(100, 1, 500));
    assertEquals(9, window.score().outcomes(), "what was forgotten");
    now += 50 * SECOND;
    window.add(0, 0);
    assertEquals(new Score(10, 9, 9000, 0), window.score());
  }

  /** As a list of all outcomes with their times says it. */
  @Property(tries = 300)
  void agreesWithAListOfAll(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 30) Integer> pauses,
      @ForAll @IntRange(min = 1, max = 30) int burst) {
    long[] time = {-7 * SECOND};
    ScoreWindow some = new ScoreWindow(() -> time[0]);
    List<long[]> list = new ArrayList<>();
    for (int pause : pauses) {
      time[0] += pause * SECOND;
      for (int i = 0; i < burst; i++) {
        int score = (pause * 131 + i * 17) % 1001;
        some.add(score, 1000 - score);
        list.add(new long[] {time[0], score});
      }
      assertEquals(expected(list, time[0]), some.score());
    }
  }

  private static Score expected(List<long[]> all, long now) {
    List<long[]> recent = all.stream().filter(one -> now - one[0] < 60 * SECOND).toList();
    if (recent.size() < 200) {
      recent = all.subList(Math.max(0, all.size() - 200), all.size());
    }
    Score sum = Score.NONE;
    for (long[] one : recent) {
      sum = sum.plus(new Score(1, one[1] >= 500 ? 1 : 0, one[1], 1000 - one[1]));
    }
    return sum;
  }

  private void add(int outcomes, int score) {
    for (int i = 0; i < outcomes; i++) {
      window.add(score, 0);
    }
  }
}
