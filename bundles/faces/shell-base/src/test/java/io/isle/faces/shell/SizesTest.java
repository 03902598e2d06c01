package io.isle.faces.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SizesTest {
  @Test
  void bytesHaveBinaryUnits() {
    assertEquals("0 B", Sizes.bytes(0L));
    assertEquals("1023 B", Sizes.bytes(1023));
    assertEquals("1.5 KiB", Sizes.bytes(1536));
    assertEquals("64 MiB", Sizes.bytes(64L << 20));
    assertEquals("8 EiB", Sizes.bytes(Long.MAX_VALUE));
    assertEquals("-", Sizes.bytes(null));
  }

  @Test
  void nanosHaveUnits() {
    assertEquals("999 ns", Sizes.nanos(999));
    assertEquals("1.5 us", Sizes.nanos(1500));
    assertEquals("2.0 ms", Sizes.nanos(2_000_000L));
    assertEquals("3.25 s", Sizes.nanos(3_250_000_000L));
  }

  @Test
  void tenthsAreRounded() {
    assertEquals("0.0", Sizes.tenths(0.0));
    assertEquals("99.9", Sizes.tenths(99.94));
    assertEquals("-", Sizes.tenths(null));
  }
}
