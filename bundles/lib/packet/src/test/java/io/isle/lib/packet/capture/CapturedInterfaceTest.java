package io.isle.lib.packet.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CapturedInterfaceTest {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000L);

  /** Against numbers without limits, of every resolution. */
  @Property(tries = 2000)
  void timesAreThoseOfTheUnits(
      @ForAll long units,
      @ForAll @IntRange(max = 63) int shift,
      @ForAll @IntRange(max = 255) int unit) {
    long given = units >>> shift;
    BigInteger exact = new BigInteger(Long.toUnsignedString(given)).multiply(SECOND);
    int bits = unit & 0x7F;
    BigInteger time =
        (unit & 0x80) != 0 ? exact.shiftRight(bits) : exact.divide(BigInteger.TEN.pow(bits));
    CapturedInterface of = new CapturedInterface(1, 0).resolved(unit);
    assertEquals(time.min(MOST).longValueExact(), of.nanos(given), () -> unit + " of " + given);
  }

  @Property(tries = 500)
  void offsetsAreAddedAndNeverWrap(@ForAll long units, @ForAll int shift, @ForAll long seconds) {
    long offset = seconds >> (shift & 63);
    CapturedInterface plain = new CapturedInterface(1, 0).resolved(9);
    BigInteger sum =
        BigInteger.valueOf(plain.nanos(units)).add(BigInteger.valueOf(offset).multiply(SECOND));
    BigInteger bounded = sum.min(MOST).max(MOST.negate());
    long time = plain.offset(offset).nanos(units);
    boolean beyond = Math.abs((double) offset) * 1e9 > 9.2e18;
    if (!beyond) {
      assertEquals(bounded.longValueExact(), time);
    } else {
      assertEquals(Long.signum(offset), Long.signum(time));
    }
  }
}
