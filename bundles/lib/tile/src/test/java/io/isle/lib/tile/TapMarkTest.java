package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

class TapMarkTest {
  @ParameterizedTest
  @EnumSource(RxDrop.class)
  void aReceivedFrameKeepsItsFacts(RxDrop drop) {
    long mark = TapMark.received(7, 65535, 1023, drop);
    assertEquals(65535, TapMark.length(mark));
    assertEquals(1023, TapMark.queue(mark));
    assertEquals(drop.text(), TapMark.reasonText(mark));
    assertTrue(TapMark.isDropped(mark));
    assertFalse(TapMark.isSent(mark));
  }

  @ParameterizedTest
  @EnumSource(TxDrop.class)
  void aSentFrameKeepsItsFacts(TxDrop drop) {
    long mark = TapMark.sent(7, 0, 0, drop);
    assertEquals(0, TapMark.length(mark));
    assertEquals(0, TapMark.queue(mark));
    assertEquals(drop.text(), TapMark.reasonText(mark));
    assertTrue(TapMark.isDropped(mark));
    assertTrue(TapMark.isSent(mark));
  }

  @Test
  void aFrameThatWasPassedOnHasNoReason() {
    for (long mark : new long[] {TapMark.received(1, 60, 3, null), TapMark.sent(1, 60, 3, null)}) {
      assertFalse(TapMark.isDropped(mark));
      assertEquals("", TapMark.reasonText(mark));
      assertEquals(60, TapMark.length(mark));
      assertEquals(3, TapMark.queue(mark));
    }
  }

  @Test
  void anUnknownReasonIsEmpty() {
    assertEquals("", TapMark.reasonText(31L << 49));
    assertEquals("", TapMark.reasonText(31L << 49 | 1L << 48));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 0xFFFF_FFFFL, 0x1_0000_0000L, Long.MAX_VALUE, Long.MIN_VALUE})
  void timesNearAnotherAreWhole(long near) {
    for (long apart : new long[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      long time = near + apart;
      assertEquals(time, TapMark.timeNs(TapMark.received(time, 0, 0, null), near));
    }
  }
}
