package io.isle.fabric.impair;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.fabric.impair.ImpairSettings.Faults;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** One direction of a relay, in virtual time. */
class LaneTest {
  private static final long MS = 1_000_000;
  private final Tally tally = new Tally();

  static Faults udp(String... keysAndValues) {
    return Given.udp(keysAndValues).faults();
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(100).putInt(number).array();
  }

  /** Numbers in the order in which they pass, one datagram a millisecond. */
  private List<Integer> run(Lane lane, int count) {
    List<Integer> passed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lane.take(number(i), i * MS);
      drain(lane, i * MS, passed);
    }
    drain(lane, Long.MAX_VALUE / 2, passed);
    assertTrue(lane.isEmpty());
    assertEquals(Long.MAX_VALUE, lane.nextNs());
    return passed;
  }

  private static void drain(Lane lane, long now, List<Integer> passed) {
    for (byte[] bytes = lane.due(now); bytes != null; bytes = lane.due(now)) {
      passed.add(ByteBuffer.wrap(bytes).getInt());
      lane.pass();
    }
  }

  @Property(tries = 50)
  void theSeedDecidesEverything(
      @ForAll @LongRange(min = 0) long seed,
      @ForAll @IntRange(max = 500_000) int loss,
      @ForAll @IntRange(max = 500_000) int duplicate,
      @ForAll @IntRange(max = 500_000) int reorder) {
    Faults faults =
        udp(
            "seed", "" + seed,
            "loss_ppm", "" + loss,
            "duplicate_ppm", "" + duplicate,
            "reorder_ppm", "" + reorder,
            "jitter_ms", "3");
    List<Integer> first = run(new Lane(true, true, faults, new Tally()), 300);
    assertEquals(first, run(new Lane(true, true, faults, new Tally()), 300));
  }

  @Property(tries = 50)
  void eachDatagramIsPassedOrCounted(
      @ForAll @LongRange(min = 0) long seed,
      @ForAll @IntRange(max = 1_000_000) int loss,
      @ForAll @IntRange(max = 1_000_000) int duplicate) {
    Tally counts = new Tally();
    Faults faults = udp("seed", "" + seed, "loss_ppm", "" + loss, "duplicate_ppm", "" + duplicate);
    List<Integer> passed = run(new Lane(true, true, faults, counts), 300);
    assertEquals(
        300 - counts.get(Tally.Event.LOST) + counts.get(Tally.Event.DUPLICATED), passed.size());
    assertEquals(passed.size(), counts.get(Tally.Event.PASSED));
    assertEquals(100L * passed.size(), counts.get(Tally.Event.BYTES));
  }

  @Test
  void withoutFaultsAllPassInOrderAtOnce() {
    Lane lane = new Lane(true, true, udp(), tally);
    assertEquals(IntStream.range(0, 100).boxed().toList(), run(lane, 100));
  }

  @Test
  void aHundredthIsLost() {
    List<Integer> passed = run(new Lane(true, true, udp("loss_ppm", "10000"), tally), 100_000);
    long lost = tally.get(Tally.Event.LOST);
    assertEquals(100_000 - lost, passed.size());
    // a binomial of mean 1000: within eight deviations
    assertTrue(Math.abs(lost - 1000) < 250, "lost " + lost);
  }

  @Test
  void reorderedDatagramsPassLater() {
    Faults faults = udp("reorder_ppm", "100000", "reorder_ms", "5");
    List<Integer> passed = run(new Lane(true, true, faults, tally), 1000);
    assertEquals(1000, passed.size());
    int overtaken = 0;
    for (int i = 1; i < passed.size(); i++) {
      overtaken += passed.get(i) < passed.get(i - 1) ? 1 : 0;
    }
    assertTrue(overtaken > 20, "overtaken " + overtaken);
    assertTrue(tally.get(Tally.Event.REORDERED) > 20);
  }

  @Test
  void aDelayIsKeptAndTheNextTimeIsTold() {
    Lane lane = new Lane(true, true, udp("delay_ms", "50"), tally);
    lane.take(number(1), 10 * MS);
    assertEquals(60 * MS, lane.nextNs());
    assertNull(lane.due(60 * MS - 1));
    assertArrayEquals(number(1), lane.due(60 * MS));
  }

  @Test
  void aRateSpreadsTheBytes() {
    Lane lane = new Lane(true, true, udp("rate_bytes", "1000"), tally);
    for (int i = 0; i < 10; i++) {
      lane.take(number(i), 0);
    }
    for (int i = 0; i < 10; i++) {
      assertEquals((i + 1) * 100 * MS, lane.nextNs());
      assertFalse(lane.due(lane.nextNs()) == null);
      lane.pass();
    }
  }

  @Test
  void oneBitOfACorruptedDatagramIsAnother() {
    Lane lane = new Lane(true, true, udp("corrupt_ppm", "1000000"), tally);
    lane.take(new byte[100], 0);
    int bits = 0;
    for (byte one : lane.due(0)) {
      bits += Integer.bitCount(one & 0xFF);
    }
    assertEquals(1, bits);
  }

  @Test
  void aFullQueueDropsDatagramsAndStopsStreams() {
    Lane lane = new Lane(true, true, udp("queue_bytes", "65536", "delay_ms", "1000"), tally);
    for (int i = 0; i < 1000; i++) {
      lane.take(number(i), 0);
    }
    assertEquals(1000 - 655, tally.get(Tally.Event.OVERFLOWED));

    Lane stream =
        new Lane(false, true, Given.tcp("queue_bytes", "65536", "delay_ms", "1").faults(), tally);
    assertTrue(stream.hasRoom());
    stream.take(new byte[65536], 0);
    assertFalse(stream.hasRoom());
  }

  @Test
  void aBlackHoleSwallowsOneDirection() {
    Faults faults = udp("black_hole", "forward");
    assertEquals(List.of(), run(new Lane(true, true, faults, tally), 10));
    assertEquals(10, tally.get(Tally.Event.SWALLOWED));
    assertEquals(10, run(new Lane(true, false, faults, tally), 10).size());
  }

  @Test
  void piecesOfAStreamNeverOvertake() {
    Faults faults = Given.tcp("delay_ms", "5", "jitter_ms", "20").faults();
    List<Integer> passed = run(new Lane(false, true, faults, tally), 200);
    assertEquals(IntStream.range(0, 200).boxed().toList(), passed);
  }

  @Test
  void faultsOfTheNextDatagramCanChange() {
    Lane lane = new Lane(true, true, udp("loss_ppm", "1000000"), tally);
    lane.take(number(1), 0);
    lane.faults(udp());
    lane.take(number(2), 0);
    assertArrayEquals(number(2), lane.due(0));
  }
}
