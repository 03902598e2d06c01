package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Control packets byte for byte, and each single way not to be one. */
class ControlBytesTest {
  private static final int BYTES = 264;

  private static MemorySegment filled() {
    byte[] bytes = new byte[BYTES + 8];
    Arrays.fill(bytes, (byte) 0x55);
    return MemorySegment.ofArray(bytes);
  }

  private static String zeros(int count) {
    return " 00".repeat(count);
  }

  private static MemorySegment packet(String message) {
    byte[] head = Bytes.of(message);
    return MemorySegment.ofArray(Arrays.copyOf(head, BYTES));
  }

  private static boolean isControl(String message) {
    return new ControlReader().packet(packet(message), 0, BYTES);
  }

  @Test
  void resizeLayersToTheByte() {
    MemorySegment packet = filled();
    assertEquals(BYTES, ControlWriter.resizeLayers(packet, 4, BYTES, 8, 0x0201, true));
    assertEquals("55 55 55 55", Bytes.hex(packet, 0, 4));
    assertEquals("55 55 55 55", Bytes.hex(packet, 4 + BYTES, 4));
    assertEquals(
        "de c0 01 08 00 00 00 01 02 00 00 01" + zeros(BYTES - 12), Bytes.hex(packet, 4, BYTES));
    ControlReader reader = new ControlReader();
    assertTrue(reader.packet(packet, 4, BYTES));
    assertEquals(Control.RESIZE_LAYERS, reader.type());
    assertEquals(8, reader.start());
    assertEquals(0x0201, reader.end());
    assertTrue(reader.tail());
  }

  @Test
  void acknowledgementsToTheByte() {
    MemorySegment packet = filled();
    assertEquals(164, ControlWriter.ack(packet, 0, 164, 16, 24, false));
    assertEquals("de c0 03 10 00 00 00 18 00 00 00" + zeros(153), Bytes.hex(packet, 0, 164));
    assertTrue(new ControlReader().packet(packet, 0, 164));
  }

  @Test
  void resizeChainToTheByte() {
    MemorySegment packet = filled();
    int[] boundaries = {8, 12, 16, 32};
    assertEquals(BYTES, ControlWriter.resizeChain(packet, 0, BYTES, boundaries, 3, true));
    ControlWriter.index(packet, 0, 1);
    assertEquals(
        "de c0 02 00 00 00 00 00 00 00 00 00 01 00 00 00 03 00 00 00"
            + " 08 00 00 00 0c 00 00 00 00"
            + " 0c 00 00 00 10 00 00 00 00"
            + " 10 00 00 00 20 00 00 00 01"
            + zeros(BYTES - 47),
        Bytes.hex(packet, 0, BYTES));
    ControlReader reader = new ControlReader();
    assertTrue(reader.packet(packet, 0, BYTES));
    assertEquals(1, reader.index());
    assertEquals(3, reader.workers());
    assertEquals(12, reader.start(1));
    assertEquals(16, reader.end(1));
    assertFalse(reader.tail(1));
    assertTrue(reader.tail(2));
  }

  @Test
  void aMessageBecomesAPacket() {
    MemorySegment first = filled();
    assertEquals(BYTES, ControlWriter.resizeLayers(first, 0, BYTES, 1, 2, true));
    MemorySegment second = filled();
    assertEquals(BYTES, ControlWriter.packet(second, 0, BYTES, first, 2));
    assertEquals(Bytes.hex(first, 0, BYTES), Bytes.hex(second, 0, BYTES));
    assertTrue(new ControlReader().message(first, 2));
  }

  @Test
  void smallPacketsHoldNoControl() {
    MemorySegment packet = filled();
    assertEquals(-Errno.EMSGSIZE, ControlWriter.ack(packet, 0, 163, 0, 1, true));
    assertEquals(-Errno.EMSGSIZE, ControlWriter.resizeLayers(packet, 0, 12, 0, 1, true));
    assertEquals(-Errno.EMSGSIZE, ResizePlan.of(4, 1).write(packet, 0, 163));
    assertEquals("55".repeat(1), Bytes.hex(packet, 0, 1));
    assertFalse(new ControlReader().packet(packet(" de c0 01"), 0, 163));
    assertFalse(new ControlReader().packet(packet("de c0 01"), 0, 0));
  }

  /** Each is valid up to one field. */
  @Test
  void whatIsNotToTheLetterIsAnActivation() {
    assertTrue(isControl("dec0 01 08000000 10000000 00"));
    assertTrue(isControl("dec0 01 00000000 00000000 01"), "an empty range");
    assertTrue(isControl("dec0 03 00000100 00000100 01"), "65536");
    assertFalse(isControl("dfc0 01 08000000 10000000 00"), "marker");
    assertFalse(isControl("dec0 00 08000000 10000000 00"), "type 0");
    assertFalse(isControl("dec0 04 08000000 10000000 00"), "type 4");
    assertFalse(isControl("dec0 ff 08000000 10000000 00"), "type 255");
    assertFalse(isControl("dec0 01 11000000 10000000 00"), "start above end");
    assertFalse(isControl("dec0 01 ffffffff 10000000 00"), "start below 0");
    assertFalse(isControl("dec0 01 08000000 01000100 00"), "end above 65536");
    assertFalse(isControl("dec0 01 08000000 10000000 02"), "tail flag 2");
    assertFalse(isControl("dec0 01 08000000 10000000 00 01"), "an index without a chain");
    assertFalse(isControl("dec0 03 08000000 10000000 00 00000000 01"), "workers in an ACK");
  }

  @Test
  void aChainIsControlToTheLetter() {
    String two = "dec0 02 000000000000000000 00000000 02000000 ";
    assertTrue(isControl(two + "0800000010000000 00 1000000020000000 00"), "no tail");
    assertTrue(isControl(two + "0800000010000000 00 1000000010000000 01"), "an empty last one");
    assertFalse(isControl(two + "0800000010000000 01 1000000020000000 00"), "a tail before");
    assertFalse(isControl(two + "0800000010000000 00 1000000020000000 02"), "tail flag 2");
    assertFalse(isControl(two + "0800000010000000 00 1100000020000000 01"), "a gap");
    assertFalse(isControl(two + "0800000010000000 00 0f00000020000000 01"), "an overlap");
    assertFalse(isControl(two + "0800000010000000 00 1000000001000100 01"), "above 65536");
    assertFalse(
        isControl(two + "0800000010000000 00 1000000020000000 01 20"), "a third range of two");
    String one = "0800000010000000 01";
    String none = "dec0 02 000000000000000000 ";
    assertTrue(isControl(none + "00000000 01000000" + one));
    assertFalse(isControl(none + "01000000 01000000" + one), "index = count");
    assertFalse(isControl(none + "ffffffff 01000000" + one), "index below 0");
    assertFalse(isControl(none + "00000000 00000000"), "no worker");
    assertFalse(isControl(none + "00000000 11000000" + one), "17 workers");
    assertFalse(isControl(none + "00000000 ffffffff" + one), "-1 workers");
    assertFalse(isControl("dec0 02 010000000000000000 00000000 01000000" + one), "a start");
    assertFalse(isControl("dec0 02 000000000000000001 00000000 01000000" + one), "a flag");
  }

  @Test
  void eachByteOfThePaddingCounts() {
    for (int i = 12; i < BYTES; i++) {
      MemorySegment packet = packet("dec0 01 08000000 10000000 00");
      packet.set(Control.U8, i, (byte) 1);
      assertFalse(new ControlReader().packet(packet, 0, BYTES), "byte " + i);
      assertTrue(new ControlReader().packet(packet, 0, Math.max(164, i)) == i >= 164, "to " + i);
    }
  }
}
