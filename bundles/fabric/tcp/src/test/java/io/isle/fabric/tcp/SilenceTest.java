package io.isle.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final long MS = 1_000_000L;

  private final Silence silence = new Silence();

  @Test
  void nothingUnansweredIsNoSilence() {
    assertEquals(0, silence.observe(0, 0, 0, 1));
    assertEquals(0, silence.observe(3_600_000 * MS, 0, 0, 3_600_000));
  }

  @Test
  void repetitionsAndProbesCountFromTheirFirstObservation() {
    assertEquals(0, silence.observe(1000 * MS, 1, 0, 900));
    assertEquals(4000 * MS, silence.observe(5000 * MS, 4, 0, 4900));
    assertEquals(5000 * MS, silence.observe(6000 * MS, 0, 1, 5900));
    assertEquals(0, silence.observe(6100 * MS, 0, 0, 0));
    assertEquals(0, silence.observe(6200 * MS, 0, 1, 100));
  }

  /** On a lossy path every look may meet a repetition, each answered later. */
  @Test
  void anAnswerBetweenTwoLooksEndsTheSilence() {
    silence.observe(0, 1, 0, 10);
    assertEquals(200 * MS, silence.observe(4000 * MS, 1, 0, 200));
    assertEquals(4200 * MS, silence.observe(8000 * MS, 2, 0, 4200));
  }

  /** Whenever a peer answers at least every four seconds, no look finds five seconds of silence. */
  @Property
  void aPeerThatAnswersIsNeverSilent(
      @ForAll @Size(max = 200) List<@IntRange(min = 1, max = 900) Integer> steps,
      @ForAll @IntRange(min = 1, max = 3900) int interval) {
    Silence observed = new Silence();
    long now = 0;
    for (int step : steps) {
      now += step;
      long found = observed.observe(now * MS, 1, 1, now % interval);
      assertTrue(found < 5000 * MS, found + " ns");
    }
  }

  @Test
  void anUnknownTimeOfTheAnswerLeavesTheCountersAlone() {
    silence.observe(0, 1, 0, -1);
    assertEquals(5000 * MS, silence.observe(5000 * MS, 1, 0, -1));
  }
}
