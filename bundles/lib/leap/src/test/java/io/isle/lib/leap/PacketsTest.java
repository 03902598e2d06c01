package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PacketsTest {
  @Test
  void aPacketHasAHeaderAndItsFloats() {
    assertEquals(12, Packets.bytes(1));
    assertEquals(16_392, Packets.bytes(4096));
    assertEquals(65_535 * 1400, Packets.MAX_BYTES);
    assertTrue(Packets.bytes(Packets.MAX_DIM) <= Packets.MAX_BYTES);
    for (int dim : new int[] {0, -1, Packets.MAX_DIM + 1, Integer.MAX_VALUE}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> Packets.bytes(dim)).getMessage();
      assertEquals("dim " + dim + " is not in 1.." + Packets.MAX_DIM, message);
    }
  }

  @Test
  void theSizeOfPacketsHasLimits() {
    Packets.requireBytes(1);
    Packets.requireBytes(Packets.MAX_BYTES);
    assertEquals(
        "packet_bytes 0 is not in 1..91749000",
        assertThrows(IllegalArgumentException.class, () -> Packets.requireBytes(0)).getMessage());
    assertFalse(Packets.holdControl(163));
    assertTrue(Packets.holdControl(164));
  }

  @Test
  void theHeaderIsLittleEndian() {
    MemorySegment packet = MemorySegment.ofArray(new byte[13]);
    Packets.header(packet, 3, 0x01020304, Packets.NEED_REPLY);
    assertEquals("00 00 00 04 03 02 01 01 00 00 00 00 00", Bytes.hex(packet, 0, 13));
    assertEquals(0x01020304, Packets.pos(packet, 3));
    assertEquals(1, Packets.flags(packet, 3));
  }

  @Test
  void aPositionThatBeginsLikeControlIsFound() {
    assertTrue(Packets.looksLikeControl(49_374));
    assertTrue(Packets.looksLikeControl(0x7FFF_C0DE));
    assertTrue(Packets.looksLikeControl(0xFFFF_C0DE));
    assertFalse(Packets.looksLikeControl(49_375));
    assertFalse(Packets.looksLikeControl(0xC0DE_0000));
    MemorySegment packet = Bytes.segment("00 DE C0");
    assertTrue(Packets.looksLikeControl(packet, 1, 2));
    assertFalse(Packets.looksLikeControl(packet, 1, 1));
    assertFalse(Packets.looksLikeControl(packet, 0, 3));
  }
}
