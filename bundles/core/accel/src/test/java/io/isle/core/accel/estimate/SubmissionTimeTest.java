package io.isle.core.accel.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.testing.FakeDeciders;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decision point, and contexts whose engine comes and goes. */
class SubmissionTimeTest {
  private static final int DEPTH = 8;

  private final SubmissionTime point = new SubmissionTime();
  private final FakeDeciders deciders = new FakeDeciders((features, out) -> out[0] = 160);
  private final ContextEstimates context = new ContextEstimates(DEPTH);

  private static int[] features() {
    return new int[SubmissionFeatures.COUNT];
  }

  @Test
  void theSpecIsWhatModelsAreMadeFor() {
    assertEquals("submission_time", point.spec().name());
    assertEquals(SubmissionFeatures.COUNT, point.spec().features().size());
    assertEquals("mean_time", point.spec().features().get(SubmissionFeatures.MEAN).name());
    assertEquals("same_time", point.spec().features().get(SubmissionFeatures.SAME).name());
    assertTrue(point.spec().text().endsWith("output time log2_ns/16 0 640 clamp\n"));
    assertEquals(5000, point.spec().budgetNs());
  }

  @Test
  void theRuleIsTheMean() {
    int[] features = features();
    features[SubmissionFeatures.MEAN] = 317;
    int[] out = new int[1];
    point.heuristic(features, out);
    assertEquals(317, out[0]);
  }

  /** 5 / 16 are a fourth, 32 / 16 a factor of 4. */
  @ParameterizedTest
  @CsvSource({"0,1000", "5,1000", "6,962", "18,518", "19,481", "31,37", "32,0", "640,0"})
  void aScoreIsFullWithinAFourthAndNoneFromAFactorOfFour(int off, int score) {
    int[] actual = {300};
    assertEquals(score, point.score(features(), new int[] {300 + off}, actual));
    assertEquals(score, point.score(features(), new int[] {300 - off}, actual));
  }

  @Property
  void scoresAreWithinTheirRange(
      @ForAll @IntRange(min = 0, max = 640) int out, @ForAll @IntRange(min = 0, max = 640) int at) {
    int score = point.score(features(), new int[] {out}, new int[] {at});
    assertTrue(score >= 0 && score <= 1000);
  }

  @Test
  void withoutAnEngineNobodyIsAsked() {
    point.join("research", context);
    assertFalse(context.isWanted());
    context.skip(1);
    assertEquals(ContextEstimates.NONE, context.answerNs(1));
  }

  @Test
  void contexsAreAskedForWhileThereIsAnEngine() {
    point.join("research", context);
    point.bind(deciders);
    ContextEstimates later = new ContextEstimates(DEPTH);
    point.join("batch", later);
    assertEquals(List.of("research", "batch"), deciders.opened.stream().map(o -> o.group).toList());
    assertEquals(DEPTH, deciders.opened.getFirst().outstanding);
    assertTrue(context.isWanted());
    context.ask(1, features());
    assertEquals(1024, context.answerNs(1));

    point.unbind();
    assertFalse(context.isWanted());
    assertTrue(deciders.opened.stream().allMatch(FakeDeciders.Opened::isClosed));
    // what was answered counts, and nobody is told how it went
    assertEquals(1024, context.answerNs(1));
    context.ended(1, 1024, 2000);
    assertTrue(deciders.opened.getFirst().outcomes.isEmpty());
    context.ask(2, features());
    assertEquals(ContextEstimates.NONE, context.answerNs(2));
    point.bind(deciders);
    assertTrue(context.isWanted());
    assertEquals(4, deciders.opened.size());
  }

  @Test
  void aDeciderIsToldOfItsOwnDecisionsOnly() {
    point.join("research", context);
    point.bind(deciders);
    context.ask(1, features());
    point.unbind();
    point.bind(deciders);
    context.ask(2, features());
    context.ended(1, context.answerNs(1), 2048);
    context.ended(2, context.answerNs(2), 4096);
    assertTrue(deciders.opened.get(0).outcomes.isEmpty());
    assertEquals(
        List.of(new FakeDeciders.Outcome(1, List.of(12 * 16))), deciders.opened.get(1).outcomes);
  }

  @Test
  void aContextThatEndsClosesItsDecider() {
    point.join("research", context);
    point.bind(deciders);
    point.leave(context);
    assertTrue(deciders.opened.getFirst().isClosed());
    assertFalse(context.isWanted());
    point.unbind();
    point.bind(deciders);
    assertEquals(1, deciders.opened.size());
    assertFalse(context.isWanted());
  }

  @Test
  void anEngineThatIsGoingOpensNothing() {
    deciders.go();
    point.bind(deciders);
    point.join("research", context);
    assertFalse(context.isWanted());
  }

  @Test
  void withoutAModelNobodyIsAsked() {
    point.join("research", context);
    point.bind(deciders);
    deciders.setModel(null);
    assertFalse(context.isWanted());
    deciders.setModel((features, out) -> out[0] = 1);
    assertTrue(context.isWanted());
  }

  @Test
  void anAnswerOutOfRangeIsKeptWithinIt() {
    point.join("research", context);
    point.bind(deciders);
    deciders.setModel((features, out) -> out[0] = Integer.MAX_VALUE);
    context.ask(1, features());
    assertEquals(1L << 40, context.answerNs(1));
    deciders.setModel((features, out) -> out[0] = -7);
    context.ask(2, features());
    assertEquals(1, context.answerNs(2));
  }
}
