package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.accel.sched.SchedulingCore;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What answers lead to, right and wrong ones. */
class AnswerChargesTest {
  private static final long LIMIT_NS = 5_000_000_000L;

  private final AnswerCharges charges = new AnswerCharges(2);

  @BeforeEach
  void open() {
    charges.open(0, LIMIT_NS);
    charges.open(1, 0);
  }

  private void ended(int times, long answer, long taken) {
    for (int i = 0; i < times; i++) {
      charges.ended(0, answer, taken);
    }
  }

  @Test
  void withoutAnAnswerItIsTheAverage() {
    assertEquals(SchedulingCore.AVERAGE, charges.charge(0, -1, 0));
    assertEquals(SchedulingCore.AVERAGE, charges.charge(0, -1, 7_000));
  }

  @Test
  void anAnswerIsKeptWithinAMicrosecondAndTheExecutionLimit() {
    assertEquals(20_000, charges.charge(0, 20_000, 0));
    assertEquals(1_000, charges.charge(0, 0, 0));
    assertEquals(LIMIT_NS, charges.charge(0, Long.MAX_VALUE, 0));
    assertEquals((1L << 40) - 1, charges.charge(1, Long.MAX_VALUE, 0));
  }

  @Test
  void whatAnswersWereTooSmallByIsAddedByEighths() {
    ended(1, 10_000, 18_000);
    assertEquals(11_000, charges.charge(0, 10_000, 0));
    ended(1, 10_000, 18_000);
    assertEquals(11_875, charges.charge(0, 10_000, 0));
    ended(60, 10_000, 18_000);
    assertEquals(18_000, charges.charge(0, 10_000, 0), 10);
    assertEquals(10_000, charges.charge(1, 10_000, 0), "of another context");
  }

  @Test
  void answersThatWereTooLargeSubtractNothing() {
    ended(10, 15_000, 10_000);
    assertEquals(12_000, charges.charge(0, 12_000, 0));
    // but they count in the mean
    ended(1, 10_000, 26_000);
    assertEquals(12_000, charges.charge(0, 12_000, 0));
  }

  @Test
  void ofHalfDoneWorkItIsWhatIsLeft() {
    assertEquals(14_000, charges.charge(0, 20_000, 6_000));
    assertEquals(1_000, charges.charge(0, 20_000, 60_000));
  }

  @Test
  void answersThatAreMostlyTwiceTooLargeGiveWayUntilTheyAreBetter() {
    ended(30, 21_000, 10_000);
    assertEquals(SchedulingCore.AVERAGE, charges.charge(0, 21_000, 0));
    ended(2, 10_000, 10_000);
    assertEquals(21_000, charges.charge(0, 21_000, 0));
  }

  @Test
  void aContextThatComesBeginsAnew() {
    ended(30, 10_000, 90_000);
    charges.open(0, LIMIT_NS);
    assertEquals(10_000, charges.charge(0, 10_000, 0));
    ended(30, LIMIT_NS, 10_000);
    charges.open(0, LIMIT_NS);
    assertEquals(10_000, charges.charge(0, 10_000, 0));
  }

  @Property
  void aChargeIsAlwaysWithinItsBounds(
      @ForAll long seed, @ForAll @LongRange(min = 0) long answer, @ForAll long taken) {
    Random random = new Random(seed);
    AnswerCharges any = new AnswerCharges(1);
    any.open(0, LIMIT_NS);
    for (int i = 0; i < 40; i++) {
      any.ended(0, random.nextBoolean() ? answer : random.nextLong(), taken);
      long charge = any.charge(0, answer, random.nextLong(1L << 33));
      assertTrue(
          charge == SchedulingCore.AVERAGE
              || charge >= AnswerCharges.LEAST_NS && charge <= LIMIT_NS,
          () -> "charge " + charge);
    }
  }
}
