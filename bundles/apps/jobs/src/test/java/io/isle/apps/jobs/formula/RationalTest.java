package io.isle.apps.jobs.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Exact fractions, compared with whole numbers of any length and with IEEE 754's rounding. */
class RationalTest {
  @Property
  void sumsAndProductsAreThoseOfWholeNumbers(@ForAll long a, @ForAll long b) {
    BigInteger left = BigInteger.valueOf(a);
    BigInteger right = BigInteger.valueOf(b);
    assertEquals(left.add(right), whole(a).plus(whole(b)).numerator());
    assertEquals(left.subtract(right), whole(a).minus(whole(b)).numerator());
    assertEquals(left.multiply(right), whole(a).times(whole(b)).numerator());
  }

  @Property
  void divisionIsUndoneByMultiplication(@ForAll long a, @ForAll long b, @ForAll long c) {
    Assume.that(b != 0 && c != 0);
    Rational quotient = whole(a).over(whole(b)).over(whole(c));
    assertEquals(whole(a), quotient.times(whole(c)).times(whole(b)));
    assertTrue(quotient.denominator().signum() > 0);
    assertEquals(BigInteger.ONE, quotient.numerator().gcd(quotient.denominator()));
  }

  @Property
  void roundingIsThatOfWholeNumbers(@ForAll long a, @ForAll long b) {
    Assume.that(b != 0);
    Rational quotient = whole(a).over(whole(b));
    BigInteger[] parts = BigInteger.valueOf(a).divideAndRemainder(BigInteger.valueOf(b));
    boolean below = parts[1].signum() * Long.signum(b) < 0;
    BigInteger floor = below ? parts[0].subtract(BigInteger.ONE) : parts[0];
    assertEquals(floor, quotient.floor().numerator());
    BigInteger ceil = parts[1].signum() == 0 ? floor : floor.add(BigInteger.ONE);
    assertEquals(ceil, quotient.ceil().numerator());
    assertEquals(parts[1], whole(a).remainder(whole(b)).numerator());
  }

  @Property
  void shiftsAreThoseOfWholeNumbers(
      @ForAll long a, @ForAll @LongRange(min = 0, max = 63) long count) {
    BigInteger value = BigInteger.valueOf(a);
    assertEquals(value.shiftLeft((int) count), whole(a).shiftedLeft(whole(count)).numerator());
    assertEquals(value.shiftRight((int) count), whole(a).shiftedRight(whole(count)).numerator());
  }

  @Property
  void aDoubleIsItsExactValue(@ForAll double value) {
    assertEquals(value + 0.0, Rational.of(value).real());
    assertEquals(0, new BigDecimal(value).compareTo(quotient(Rational.of(value))));
  }

  @Property
  void aFloatIsRoundedOnce(@ForAll float value, @ForAll @LongRange(min = -3, max = 3) long off) {
    assertEquals(value + 0.0f, Rational.of(value).single());
    // A little beside the middle of two floats: a double in between would be the middle itself.
    double middle = (value + (double) Math.nextUp(value)) / 2;
    Assume.that(Double.isFinite(middle) && Float.isFinite(Math.nextUp(value)) && value != 0);
    Rational beside =
        Rational.of(middle)
            .plus(whole(off).over(whole(1).shiftedLeft(whole(63)).times(exact(1e60))));
    float wanted =
        off < 0
            ? value
            : off > 0
                ? Math.nextUp(value)
                : (Float.floatToRawIntBits(value) & 1) == 0 ? value : Math.nextUp(value);
    assertEquals(wanted, beside.single());
  }

  @Property
  void aHalfIsRoundedOnce(@ForAll short bits) {
    float value = Float.float16ToFloat(bits);
    Assume.that(Float.isFinite(value));
    assertEquals(value + 0.0f, Rational.of(value).half());
  }

  @Test
  void numbersAreRoundedAtTheEndsOfTheirRange() {
    assertEquals(Double.MAX_VALUE, Rational.of(Double.MAX_VALUE).real());
    assertEquals(Double.POSITIVE_INFINITY, exact(1e308).times(whole(10)).real());
    assertEquals(Double.MIN_VALUE, Rational.of(Double.MIN_VALUE).real());
    assertEquals(0, Rational.of(Double.MIN_VALUE).over(whole(2)).real());
    assertEquals(Float.MAX_VALUE, Rational.of(Float.MAX_VALUE).single());
    assertTrue(Float.isInfinite(exact(1e39).single()));
    assertEquals(65_504, whole(65_519).half());
    assertTrue(Float.isInfinite(whole(65_520).half()));
    assertEquals(1 / 3.0, whole(1).over(whole(3)).real());
    assertEquals(-1 / 3f, whole(-1).over(whole(3)).single());
  }

  @Test
  void sixtyFourBitsAreSignedOrNot() {
    Rational end = whole(1).shiftedLeft(whole(63)).times(whole(2));
    assertFalse(end.fits64Bits());
    assertEquals(-1, end.minus(whole(1)).bits());
    assertTrue(whole(Long.MIN_VALUE).fits64Bits());
    assertFalse(whole(Long.MIN_VALUE).minus(whole(1)).fits64Bits());
    assertFalse(whole(1).over(whole(2)).fits64Bits());
    ArithmeticException e = assertThrows(ArithmeticException.class, end::bits);
    assertEquals("18446744073709551616 is beyond 64 bits", e.getMessage());
  }

  @Test
  void whatHasNoResultSaysWhy() {
    assertEquals("a division by zero", failure(() -> whole(1).over(Rational.ZERO)));
    assertEquals("a division by zero", failure(() -> whole(1).remainder(Rational.ZERO)));
    assertTrue(failure(() -> whole(1).shiftedLeft(whole(64))).contains("from 0 to 63"));
    assertTrue(failure(() -> whole(1).shiftedRight(whole(-1))).contains("from 0 to 63"));
    assertTrue(failure(() -> exact(0.5).shiftedLeft(whole(1))).contains("no whole number"));
    Rational large = exact(1e300);
    assertTrue(
        failure(() -> large.times(large).times(large).times(large).times(large))
            .contains("4096 bits"));
  }

  private static String failure(org.junit.jupiter.api.function.Executable what) {
    return assertThrows(ArithmeticException.class, what).getMessage();
  }

  private static BigDecimal quotient(Rational value) {
    return new BigDecimal(value.numerator()).divide(new BigDecimal(value.denominator()));
  }

  private static Rational whole(long value) {
    return Rational.of(value);
  }

  private static Rational exact(double value) {
    return Rational.of(value);
  }
}
