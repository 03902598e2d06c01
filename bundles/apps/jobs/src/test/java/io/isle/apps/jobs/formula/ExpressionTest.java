package io.isle.apps.jobs.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTest {
  @ParameterizedTest
  @CsvSource({
    "-x,-3",
    "2 - -x,5",
    "1e-3 * x,0.003",
    "-(x + 1) * 2,-8",
    "1.5E+2 - x,147",
    "2 MiB / 1mib * x,6",
    "x * 1 KiB,3072"
  })
  void formulas(String text, double value) {
    assertEquals(value, Expression.parse(text, Set.of("x")).evaluate(Map.of("x", 3.0)), 1e-12);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(x + 9223372036854775807) * 2 - 18446744073709551614|6",
        "0.1 + 0.2 - 0.3|0",
        "x / 7 * 7|3",
        "7 % x - -7 % x|2",
        "1 << x + 1 << 1|32",
        "-9 >> 1|-5",
        "log2(1024)|10",
        "ceil(log2(9007199254740993))|54",
        "floor(log2(9007199254740991))|52",
        "log2(1 / 8)|-3",
        "0xffffffffffffffff|18446744073709551615",
        "min(x, 2) + max(x, 2) + abs(-x) + ceil(x / 2) + floor(x / 2)|11"
      })
  void exactFormulas(String text, BigDecimal value) {
    assertEquals(
        Rational.of(value), Expression.parse(text, Set.of("x")).exact(Map.of("x", Rational.of(3))));
  }

  /** Of a random formula, both ways of computing it are the same where doubles are exact. */
  @Property
  void doublesAndFractionsAgreeOnSmallNumbers(
      @ForAll @IntRange(min = -99, max = 99) int a,
      @ForAll @IntRange(min = -99, max = 99) int b,
      @ForAll @IntRange(min = 1, max = 9) int c) {
    for (String text :
        List.of("a + b * c", "(a - b) * -c", "a % c", "a << c", "a >> c", "floor(a / 8) - b")) {
      Expression expression = Expression.parse(text, Set.of("a", "b", "c"));
      Rational exact =
          expression.exact(Map.of("a", Rational.of(a), "b", Rational.of(b), "c", Rational.of(c)));
      double real = expression.evaluate(Map.of("a", (double) a, "b", (double) b, "c", (double) c));
      assertEquals(real + 0.0, exact.real(), text);
    }
  }

  @Property
  void wholeFormulasAreThoseOfWholeNumbersOfAnyLength(
      @ForAll long a, @ForAll long b, @ForAll long c) {
    Map<String, Rational> values =
        Map.of("a", Rational.of(a), "b", Rational.of(b), "c", Rational.of(c));
    BigInteger wanted =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .subtract(BigInteger.valueOf(c).multiply(BigInteger.valueOf(3)));
    Rational found = Expression.parse("a * b - 3 * c", values.keySet()).exact(values);
    assertEquals(wanted, found.numerator());
    boolean fits =
        wanted.compareTo(BigInteger.valueOf(Long.MIN_VALUE)) >= 0 && wanted.bitLength() <= 64;
    assertEquals(fits, found.fits64Bits());
    if (fits) {
      assertEquals(wanted.longValue(), found.bits());
    }
  }

  @Test
  void aNameThatIsAFunctionIsOneOnlyBeforeAParenthesis() {
    Expression expression = Expression.parse("log2 + log2(8)", Set.of("log2"));
    assertEquals(Rational.of(8), expression.exact(Map.of("log2", Rational.of(5))));
    assertThrows(IllegalArgumentException.class, () -> Expression.parse("log2", Set.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "1 / (x - 3),a division by zero",
    "y,'y' without a value",
    "1 << 64,must be from 0 to 63",
    "log2(0),log2 of 0"
  })
  void formulasWithoutAValueSayWhy(String text, String why) {
    Expression expression = Expression.parse(text, Set.of("x", "y"));
    ArithmeticException e =
        assertThrows(
            ArithmeticException.class, () -> expression.exact(Map.of("x", Rational.of(3))));
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  @Test
  void exactNumbers() {
    assertEquals(
        "18446744073709551615", Numbers.exact("18446744073709551615").orElseThrow().toString());
    assertEquals(Rational.of(new BigDecimal("0.1")), Numbers.exact("0.1").orElseThrow());
    assertEquals(Rational.of(3 << 20), Numbers.exactSize("3m").orElseThrow());
    assertTrue(Numbers.exact("1e-9999").isEmpty());
    assertTrue(Numbers.exact("inf").isEmpty());
    assertEquals(Double.NEGATIVE_INFINITY, Numbers.special("-.inf").orElseThrow());
    assertTrue(Double.isNaN(Numbers.special("NaN").orElseThrow()));
    assertTrue(Numbers.special("-nan").isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "1,1",
    "-5,-5",
    "0x10,16",
    "4KiB,4096",
    "2GiB,2147483648",
    "1 MiB,1048576",
    "1kib,1024"
  })
  void numbers(String text, long value) {
    assertEquals(value, Numbers.whole(text).orElseThrow());
  }

  @Test
  void whatIsNoNumber() {
    for (String text : List.of("", "2m", "1  MiB", "1.5", "9223372036854775807KiB", "0xg", "MiB")) {
      assertTrue(Numbers.whole(text).isEmpty(), text);
    }
    for (String text : List.of("2m", "2 m", "2 MiBx", "2 MiB MiB")) {
      assertThrows(
          IllegalArgumentException.class, () -> Expression.parse(text, Set.of("m", "x")), text);
    }
    for (String text : List.of("1e999", "NaN", "1f", "0x1p3", ".")) {
      assertTrue(Numbers.real(text).isEmpty(), text);
    }
  }
}
