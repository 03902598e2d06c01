package io.isle.core.accel.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Estimate;
import io.isle.core.testing.FakeDeciders;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a context remembers of its submissions, and how far off its estimates were. */
class ContextEstimatesTest {
  private static final int DEPTH = 4;
  private static final int MS_LOG = 319;

  private final FakeDeciders deciders = new FakeDeciders((features, out) -> out[0] = 16 * 10);
  private final ContextEstimates context = new ContextEstimates(DEPTH);

  @BeforeEach
  void attach() {
    assertTrue(context.attach(deciders.open("any", DEPTH, () -> {})));
  }

  private static int[] work(int program, int bytes) {
    int[] features = new int[SubmissionFeatures.COUNT];
    features[SubmissionFeatures.PROGRAM] = program;
    features[SubmissionFeatures.BYTES] = bytes;
    return features;
  }

  /** Asks, and tells what it took; returns what was known of earlier ones: last, mean, same. */
  private List<Integer> run(long point, int[] work, long ns) {
    context.ask(point, work);
    context.started(context.answerNs(point));
    context.ended(point, context.answerNs(point), ns);
    return deciders
        .opened
        .getFirst()
        .decisions
        .getLast()
        .features()
        .subList(SubmissionFeatures.LAST, SubmissionFeatures.COUNT);
  }

  @Test
  void aModelSeesLastMeanAndTheLastOfTheSameKind() {
    assertEquals(List.of(MS_LOG, MS_LOG, MS_LOG), run(1, work(1, 100), 1 << 20));
    assertEquals(List.of(320, 320, 320), run(2, work(1, 100), 1 << 12));
    // mean: 2^20 less an eighth
    assertEquals(List.of(192, 317, 317), run(3, work(2, 100), 1 << 14));
    assertEquals(List.of(224, 314, 192), run(4, work(1, 100), 1 << 16));
    assertEquals(List.of(256, 311, 224), run(5, work(2, 100), 1 << 16));
    assertEquals(List.of(256, 308, 308), run(6, work(1, 101), 1 << 16));
  }

  @Test
  void sixSizesOfThreeProgramsAreToldFromEachOther() {
    int known = 0;
    for (int round = 0; round < 2; round++) {
      for (int kind = 0; kind < 18; kind++) {
        int[] work = work(1000 * (kind % 3) + 17, 224 + 32 * (kind / 3));
        List<Integer> seen = run(18L * round + kind + 1, work, 1L << 10 + kind);
        known += round == 1 && seen.get(2) == 16 * (10 + kind) ? 1 : 0;
      }
    }
    assertEquals(18, known);
  }

  @Test
  void errorsAreMeansOfLogarithms() {
    assertEquals(Estimate.NONE.answered(), context.read().answered());
    assertTrue(Double.isNaN(context.read().error()));
    assertEquals(1_000_000, context.read().estimateNs());
    // the answer is 2^10
    run(1, work(1, 1), 1 << 12);
    assertEquals(2, context.read().modelError());
    assertEquals(Math.log(1_000_000) / Math.log(2) - 12, context.read().averageError(), 0.02);
    run(2, work(1, 1), 1 << 9);
    Estimate estimate = context.read();
    assertEquals(1.5, estimate.modelError());
    assertEquals(1.5, estimate.error());
    assertEquals(2, estimate.answered());
    assertEquals(2, estimate.ended());
    assertEquals(1024, estimate.estimateNs());
  }

  @Test
  void withoutAnswersItIsTheErrorOfTheAverage() {
    context.skip(1);
    context.started(-1);
    assertEquals(1_000_000, context.read().estimateNs());
    context.ended(1, ContextEstimates.NONE, 2_000_000);
    context.skip(2);
    context.started(-1);
    assertEquals(2_000_000, context.read().estimateNs());
    context.ended(2, ContextEstimates.NONE, 2_000_000);
    Estimate estimate = context.read();
    assertEquals(0.5, estimate.averageError(), 0.01);
    assertEquals(estimate.averageError(), estimate.error());
    assertTrue(Double.isNaN(estimate.modelError()));
    assertEquals(0, estimate.answered());
    assertEquals(2, estimate.ended());
  }

  @Test
  void aSlotThatIsUsedAgainHasNoOldAnswer() {
    context.ask(1, work(1, 1));
    assertEquals(1024, context.answerNs(1));
    context.skip(1 + DEPTH);
    assertEquals(ContextEstimates.NONE, context.answerNs(1 + DEPTH));
  }

  @Test
  void whatTookNoTimeTookANanosecond() {
    run(1, work(1, 1), 0);
    assertEquals(List.of(0), deciders.opened.getFirst().outcomes.getFirst().actual());
    assertEquals(10, context.read().modelError());
  }
}
