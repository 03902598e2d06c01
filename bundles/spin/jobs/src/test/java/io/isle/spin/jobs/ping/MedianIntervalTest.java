package io.isle.spin.jobs.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MedianIntervalTest {
  private static double[] upTo(int n) {
    return IntStream.rangeClosed(1, n).mapToDouble(i -> n + 1 - i).toArray();
  }

  /** The ranks of tables of the sign test, two-sided at 5 %. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "5, 0",
    "6, 1",
    "8, 1",
    "9, 2",
    "10, 2",
    "15, 4",
    "20, 6",
    "25, 8",
    "30, 10",
    "50, 18",
    "100, 40",
    "1000, 469"
  })
  void theIntervalIsThatOfTheSignTest(int samples, int rank) {
    assertEquals(rank, MedianInterval.rank(samples));
  }

  @Test
  void valuesAreThoseOfTheRanks() {
    assertEquals(new MedianInterval(10.5, 6, 15), MedianInterval.of(upTo(20)));
    assertEquals(new MedianInterval(4, 1, 7), MedianInterval.of(upTo(7)));
  }

  @Test
  void fewSamplesHaveNoInterval() {
    assertEquals(new MedianInterval(3, Double.NaN, Double.NaN), MedianInterval.of(upTo(5)));
    assertTrue(Double.isNaN(MedianInterval.of(new double[0]).median()));
  }

  @Test
  void mostIntervalsHaveTheMedianOfTheSource() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    int hits = 0;
    for (int i = 0; i < 4000; i++) {
      double[] samples = random.doubles(20).map(x -> -Math.log(x)).toArray();
      MedianInterval one = MedianInterval.of(samples);
      hits += one.low() <= Math.log(2) && Math.log(2) <= one.high() ? 1 : 0;
    }
    assertTrue(hits >= 3800, () -> "not 95 % of 4000");
  }
}
