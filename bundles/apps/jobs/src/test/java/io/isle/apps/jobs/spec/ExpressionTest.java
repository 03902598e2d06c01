package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
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
