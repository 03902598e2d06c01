package io.isle.inference.engine.distribution;

import static io.isle.inference.engine.distribution.DistributionWatch.ANOMALY;
import static io.isle.inference.engine.distribution.DistributionWatch.OUT_OF_RANGE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class DistributionWatchTest {
  private static final int CALLS = DistributionLimits.DEFAULT.calls();
  private static final TrainedRange NARROW = new TrainedRange(0, 1000, 500, 10);

  @Example
  void aQuarterOutOfRangeIsWell() {
    DistributionWatch watch = watch(new TrainedRange(-5, 5, 0, 1000));
    assertEquals(0, feed(watch, call -> call < 64 ? 6 : 0));
    assertTrue(watch.isNormal());
    assertEquals(Optional.empty(), watch.anomaly());
  }

  @Example
  void moreThanAQuarterOutOfRangeIsNot() {
    DistributionWatch watch = watch(NARROW, new TrainedRange(-5, 5, 0, 1000));
    int[] features = {500, 0};
    for (int call = 0; call < CALLS; call++) {
      features[1] = call < 65 ? -6 : 5;
      int expected = (call < 65 ? OUT_OF_RANGE : 0) | (call == CALLS - 1 ? ANOMALY : 0);
      assertEquals(expected, watch.observe(features));
    }
    assertFalse(watch.isNormal());
    assertEquals(Optional.of(new InputDistributionAnomaly(1, -6, -5, 5)), watch.anomaly());
    assertEquals(1, watch.anomalies());
  }

  @Example
  void theLimitsOfTheRangeBelongToIt() {
    DistributionWatch watch =
        watch(new TrainedRange(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 0xFFFF_FFFFL));
    assertEquals(0, watch.observe(new int[] {Integer.MIN_VALUE}));
    assertEquals(0, watch.observe(new int[] {Integer.MAX_VALUE}));
    DistributionWatch small = watch(new TrainedRange(3, 3, 3, 0));
    assertEquals(0, small.observe(new int[] {3}));
    assertEquals(OUT_OF_RANGE, small.observe(new int[] {2}));
    assertEquals(OUT_OF_RANGE, small.observe(new int[] {4}));
  }

  @Example
  void aMeanThatIsOffByFourDeviationsIsAnAnomaly() {
    assertEquals(0, feed(watch(NARROW), call -> 539));
    DistributionWatch watch = watch(NARROW);
    assertEquals(ANOMALY, feed(watch, call -> 540));
    assertEquals(Optional.of(new InputDistributionAnomaly(0, 540, 0, 1000)), watch.anomaly());
    assertEquals(ANOMALY, feed(watch(NARROW), call -> 460));
  }

  @Example
  void sixteenTimesTheVarianceIsAnAnomaly() {
    assertEquals(0, feed(watch(NARROW), call -> call % 2 == 0 ? 461 : 539));
    assertEquals(ANOMALY, feed(watch(NARROW), call -> call % 2 == 0 ? 460 : 540));
  }

  @Example
  void isNormalAgainAfter256CallsThatAre() {
    DistributionWatch watch = watch(NARROW);
    assertEquals(ANOMALY, feed(watch, call -> 600));
    assertEquals(0, feed(watch, call -> 505));
    assertTrue(watch.isNormal());
    assertEquals(1, watch.anomalies());
  }

  @Example
  void rangesAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> new TrainedRange(0, 1, 2, 0));
    assertThrows(IllegalArgumentException.class, () -> new TrainedRange(0, 1, -1, 0));
    assertThrows(IllegalArgumentException.class, () -> new TrainedRange(0, 1, 1, -1));
    assertThrows(IllegalArgumentException.class, () -> new TrainedRange(0, 1, 1, 1L << 32));
  }

  /** Whatever the training was, calls far beyond it are found and calls within it are not. */
  @Property
  void agreesWithExactArithmetic(
      @ForAll int mean,
      @ForAll @LongRange(min = 0, max = 0xFFFF_FFFFL) long stddev,
      @ForAll @IntRange(min = -3000, max = 3000) int hundredths,
      @ForAll boolean alternating) {
    long off = Math.max(1, stddev) * hundredths / 100;
    long value = mean + off;
    long opposite = mean - off;
    if (value != (int) value || opposite != (int) opposite || Math.abs(hundredths) == 400) {
      return;
    }
    TrainedRange trained = new TrainedRange(Integer.MIN_VALUE, Integer.MAX_VALUE, mean, stddev);
    int found =
        feed(watch(trained), call -> (int) (alternating && call % 2 == 0 ? opposite : value));
    long least = 4 * Math.max(1, stddev);
    // the arithmetic of large deviations has 16 bits, so what is near the limit may go either way
    if (Math.abs(off) >= least + least / 16384) {
      assertEquals(ANOMALY, found);
    } else if (Math.abs(off) < least - least / 16384) {
      assertEquals(0, found);
    }
  }

  @Example
  void otherLimitsFindOtherAnomalies() {
    TrainedRange wide = new TrainedRange(-5, 5, 0, 1000);
    assertTrue(ends(new DistributionLimits(20, 50, 4, 16), wide, call -> call < 11 ? 6 : 0));
    assertFalse(ends(new DistributionLimits(20, 50, 4, 16), wide, call -> call < 10 ? 6 : 0));
    assertTrue(ends(new DistributionLimits(20, 99, 2, 16), NARROW, call -> 520));
    assertFalse(ends(new DistributionLimits(20, 99, 2, 16), NARROW, call -> 519));
    IntUnaryOperator apart = call -> call % 2 == 0 ? 530 : 470;
    assertTrue(ends(new DistributionLimits(20, 99, 4, 9), NARROW, apart));
    assertFalse(ends(new DistributionLimits(20, 99, 4, 10), NARROW, apart));
    assertThrows(IllegalArgumentException.class, () -> new DistributionLimits(15, 25, 4, 16));
    assertThrows(IllegalArgumentException.class, () -> new DistributionLimits(256, 100, 4, 16));
    assertThrows(IllegalArgumentException.class, () -> new DistributionLimits(256, 25, 17, 16));
    assertThrows(IllegalArgumentException.class, () -> new DistributionLimits(256, 25, 4, 1));
  }

  /** Whether calls end in an anomaly, which only the last of them tells. */
  private static boolean ends(
      DistributionLimits limits, TrainedRange trained, IntUnaryOperator value) {
    DistributionWatch watch = new DistributionWatch(List.of(trained), limits);
    int[] features = new int[1];
    for (int call = 0; call < limits.calls() - 1; call++) {
      features[0] = value.applyAsInt(call);
      assertEquals(0, watch.observe(features) & ANOMALY);
    }
    features[0] = value.applyAsInt(limits.calls() - 1);
    return (watch.observe(features) & ANOMALY) != 0;
  }

  /** Also where differences are cut, where sums are largest, and with a narrow trained range. */
  @Property
  void anyLimitsAgreeWithExactArithmetic(
      @ForAll @IntRange(min = 16, max = 1024) int calls,
      @ForAll @IntRange(min = 1, max = 16) int stddevs,
      @ForAll @IntRange(min = 2, max = 10_000) int varianceTimes,
      @ForAll @IntRange(min = 1, max = 4000) int stddev,
      @ForAll @IntRange(min = 0, max = 100) int percentOfLimit,
      @ForAll @IntRange(min = 0, max = 3) int outliers,
      @ForAll @IntRange(min = 0, max = 12_000) int width,
      @ForAll long seed) {
    DistributionLimits limits = new DistributionLimits(calls, 99, stddevs, varianceTimes);
    boolean any = width > 9000;
    int min = any ? Integer.MIN_VALUE : -width;
    int max = any ? Integer.MAX_VALUE : width / 2;
    TrainedRange trained = new TrainedRange(min, max, 0, stddev);
    Random random = new Random(seed);
    int most =
        (int) Math.ceil(Math.max(stddevs, Math.sqrt(varianceTimes)) * stddev * percentOfLimit / 50);
    int[] values = random.ints(calls, -most, most + 1).toArray();
    for (int i = 0; i < outliers; i++) {
      values[random.nextInt(calls)] = random.nextInt();
    }
    long strays = Arrays.stream(values).filter(value -> value < min || value > max).count();
    assertEquals(
        100 * strays > 99L * calls || isOff(limits, stddev, values),
        ends(limits, trained, call -> values[call]));
  }

  private static boolean isOff(DistributionLimits limits, long stddev, int[] values) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger squares = BigInteger.ZERO;
    for (int value : values) {
      BigInteger one = BigInteger.valueOf(value);
      sum = sum.add(one);
      squares = squares.add(one.multiply(one));
    }
    BigInteger calls = BigInteger.valueOf(values.length);
    BigInteger mean = BigInteger.valueOf(stddev * limits.stddevs()).multiply(calls);
    BigInteger variance =
        BigInteger.valueOf(stddev * stddev * limits.varianceTimes())
            .multiply(calls)
            .multiply(calls);
    return sum.abs().compareTo(mean) >= 0
        || squares.multiply(calls).subtract(sum.multiply(sum)).compareTo(variance) >= 0;
  }

  @Example
  void observingAllocatesNothing() {
    TrainedRange[] trained = new TrainedRange[256];
    Arrays.fill(trained, NARROW);
    DistributionWatch watch = watch(trained);
    int[] features = new int[256];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int found = 0;
      for (int call = 0; call < 2 * CALLS; call++) {
        features[call % 256] = call;
        found |= watch.observe(features);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      assertTrue((found & ANOMALY) != 0);
    }
    assertEquals(0, least);
  }

  private static DistributionWatch watch(TrainedRange... trained) {
    return new DistributionWatch(List.of(trained), DistributionLimits.DEFAULT);
  }

  /** 256 calls with one feature; whether they ended in an anomaly. */
  private static int feed(DistributionWatch watch, IntUnaryOperator value) {
    int found = 0;
    int[] features = new int[1];
    for (int call = 0; call < CALLS; call++) {
      features[0] = value.applyAsInt(call);
      found |= watch.observe(features);
    }
    return found & ANOMALY;
  }
}
