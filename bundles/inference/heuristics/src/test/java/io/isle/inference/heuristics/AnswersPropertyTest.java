package io.isle.inference.heuristics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for all points, with features and answers of any kind. */
class AnswersPropertyTest {
  @Provide
  Arbitrary<CheckedPoint> points() {
    return Arbitraries.of(
        new PagePrefetch(),
        new IoScheduler(),
        new FmaAnomaly(),
        new MemoryMigration(),
        new PowerBudget());
  }

  /** The rule answers within its outputs, for features that an owner gathers. */
  @Property
  void theRuleAnswersWithinTheOutputs(@ForAll("points") CheckedPoint point, @ForAll long seed) {
    int[] features = features(point, new Random(seed));
    int[] out = new int[point.spec().outputs().size()];
    point.heuristic(features, out);
    assertWithin(point, out);
    int[] again = new int[out.length];
    point.heuristic(features, again);
    assertArrayEquals(out, again, "not pure");
  }

  /** A checked answer stays as it is under a second check, so the check is a set of answers. */
  @Property
  void aCheckedAnswerIsPermitted(@ForAll("points") CheckedPoint point, @ForAll long seed) {
    Random random = new Random(seed);
    int[] features = features(point, random);
    int[] out = answer(point, random);
    point.check(features, out);
    assertWithin(point, out);
    int[] twice = out.clone();
    point.check(features, twice);
    assertArrayEquals(out, twice);
  }

  /** No feature and no answer, however absurd, is an exception. */
  @Property
  void absurdValuesAreNoException(@ForAll("points") CheckedPoint point, @ForAll long seed) {
    Random random = new Random(seed);
    int[] features = random.ints(point.spec().features().size()).toArray();
    int[] out = random.ints(point.spec().outputs().size()).toArray();
    int[] actual = random.ints(out.length).toArray();
    int score = point.score(features, out, actual);
    assertTrue(score >= 0 && score <= 1000, "score " + score);
    point.check(features, out);
    point.heuristic(features, out);
  }

  /** What turns out as answered is perfect. */
  @Property
  void theRightAnswerIsPerfect(@ForAll("points") CheckedPoint point, @ForAll long seed) {
    Random random = new Random(seed);
    int[] features = features(point, random);
    int[] out = answer(point, random);
    point.check(features, out);
    assertEquals(1000, point.score(features, out, out.clone()));
  }

  private static void assertWithin(CheckedPoint point, int[] out) {
    List<DecisionOutput> outputs = point.spec().outputs();
    for (int i = 0; i < out.length; i++) {
      assertTrue(
          out[i] >= outputs.get(i).min() && out[i] <= outputs.get(i).max(),
          outputs.get(i).name() + " is " + out[i]);
    }
  }

  private static int[] features(CheckedPoint point, Random random) {
    List<DecisionFeature> all = point.spec().features();
    return all.stream().mapToInt(f -> value(random, f.min(), f.max())).toArray();
  }

  private static int[] answer(CheckedPoint point, Random random) {
    List<DecisionOutput> all = point.spec().outputs();
    return all.stream().mapToInt(o -> value(random, o.min(), o.max())).toArray();
  }

  /** Small values and bounds are as likely as all others. */
  private static int value(Random random, int min, int max) {
    return switch (random.nextInt(4)) {
      case 0 -> min;
      case 1 -> max;
      case 2 -> (int) Math.min(max, (long) min + random.nextInt(200));
      default -> (int) random.nextLong(min, max + 1L);
    };
  }
}
