package io.isle.inference.engine.distribution;

import static io.isle.inference.engine.distribution.DistributionWatch.ANOMALY;
import static io.isle.inference.engine.distribution.DistributionWatch.CALLS;
import static io.isle.inference.engine.distribution.DistributionWatch.OUT_OF_RANGE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class DistributionWatchTest {
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
  void observingAllocatesNothing() {
    TrainedRange[] trained = new TrainedRange[256];
    java.util.Arrays.fill(trained, NARROW);
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
    return new DistributionWatch(List.of(trained));
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
