package io.isle.api.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "33554432",
        "33554432 B",
        "32768k",
        "32768KiB",
        "32m",
        "32M",
        "32MiB",
        "32 MiB",
        "32mib",
        "32 M",
        "0032m",
        "32  MIB"
      })
  void oneNumberHasManyNotations(String text) {
    assertEquals(32 << 20, ByteSize.parse(text));
  }

  @Test
  void suffixesArePowersOf1024() {
    assertEquals(0, ByteSize.parse("0"));
    assertEquals(3L << 10, ByteSize.parse("3k"));
    assertEquals(3L << 20, ByteSize.parse("3m"));
    assertEquals(3L << 30, ByteSize.parse("3 GiB"));
    assertEquals(3L << 40, ByteSize.parse("3T"));
    assertEquals(Long.MAX_VALUE, ByteSize.parse(Long.toString(Long.MAX_VALUE)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "m", "-1", "+1", "1.5g", "32MB", "32 mb", "32x", "32mi", "32 m m", "0x10", " 32m",
        "32m ", "3\u0662", "32\tm", "1e3"
      })
  void whatIsNoSizeIsRefused(String text) {
    NumberFormatException e = assertThrows(NumberFormatException.class, () -> ByteSize.parse(text));
    assertEquals("not a number of bytes (with k, m, g, t or KiB, MiB, GiB, TiB)", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775808",
        "99999999999999999999999999",
        "8388608t",
        "9007199254740992k",
        "9223372036854775807 KiB"
      })
  void whatIsTooLargeIsRefused(String text) {
    assertThrows(ArithmeticException.class, () -> ByteSize.parse(text));
  }
}
