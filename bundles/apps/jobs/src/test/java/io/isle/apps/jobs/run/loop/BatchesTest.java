package io.isle.apps.jobs.run.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** How many dispatches go in one submission, by a clock of the test. */
class BatchesTest {
  private static final long ROOM = 32_000;

  private final Batches batches = new Batches(new long[] {160, 160}, ROOM);

  @Test
  void theFirstDispatchOfEachStepGoesAlone() {
    assertEquals(1, fill(0));
    batches.measured(batches.close(), 1000);
    assertEquals(ROOM / 160, fill(0));
    assertFalse(batches.takes(1));
    batches.measured(batches.close(), ROOM / 160 * 1000);
    batches.add(1);
    assertFalse(batches.takes(0));
    batches.measured(batches.close(), 1000);
    batches.add(1);
    assertTrue(batches.takes(0));
  }

  @Test
  void whatIsLongGoesAloneAndWhatIsShortGoesTogether() {
    run(0, 40_000_000);
    assertEquals(1, fill(0));
    batches.measured(batches.close(), 1_000_000);
    assertEquals(2, fill(0));
    batches.measured(batches.close(), 2 * 500_000);
    assertEquals(2, fill(0));
    batches.measured(batches.close(), 2 * 500_000);
    assertEquals(3, fill(0));
  }

  /** A kernel that is built at its first dispatch: the second one says how long it takes. */
  @Test
  void theFirstMeasurementCountsOnlyUntilTheSecond() {
    run(0, 900_000_000);
    run(0, 10_000);
    assertEquals(200, fill(0));
  }

  @Test
  void aMixtureScalesTheTimesOfItsSteps() {
    run(0, 100_000);
    run(0, 100_000);
    run(1, 300_000);
    run(1, 300_000);
    for (int i = 0; i < 4; i++) {
      batches.add(0);
      batches.add(1);
    }
    assertTrue(batches.takes(1));
    batches.add(1);
    assertTrue(batches.takes(0));
    batches.add(0);
    assertFalse(batches.takes(0));
    batches.measured(batches.close(), 4_000_000);
    assertEquals(4, fill(1), "0.45 ms each, between 0.3 ms and 0.6 ms");
  }

  @Test
  void anOperationThatFitsNowhereIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new Batches(new long[] {10, ROOM + 1}, ROOM));
  }

  /** Times that stay what they are: no batch of several takes longer than 2 ms. */
  @Property(tries = 500)
  void batchesOfSeveralKeepToTheTime(
      @ForAll @LongRange(min = 1, max = 20_000_000) long first,
      @ForAll @LongRange(min = 1, max = 20_000_000) long second,
      @ForAll @IntRange(min = 1, max = 5) int turns) {
    Batches mixed = new Batches(new long[] {100, 300}, ROOM);
    long[] ns = {first, second};
    int step = 0;
    for (int i = 0; i < 40; i++) {
      long took = 0;
      long bytes = 0;
      while (mixed.takes(step)) {
        mixed.add(step);
        took += ns[step];
        bytes += step == 0 ? 100 : 300;
        step = mixed.size() % turns == 0 ? 1 - step : step;
      }
      assertTrue(bytes <= ROOM);
      assertTrue(mixed.size() == 1 || took <= Batches.MOST_NS * 1.001, took + " ns");
      mixed.measured(mixed.close(), took);
    }
  }

  private void run(int step, long ns) {
    batches.add(step);
    batches.measured(batches.close(), ns);
  }

  private int fill(int step) {
    int size = 0;
    while (batches.takes(step)) {
      batches.add(step);
      size++;
    }
    return size;
  }
}
