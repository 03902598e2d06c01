package io.isle.lib.leap.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class FrameCrcTest {
  private static final int AT = 5;
  private static final int PAYLOAD = 1000;

  private final MemorySegment memory =
      MemorySegment.ofArray(new byte[AT + IsleFrame.HEADER_BYTES + PAYLOAD]);
  private final FrameCrc crc = new FrameCrc(memory);

  FrameCrcTest() {
    byte[] payload = new byte[PAYLOAD];
    new Random(1).nextBytes(payload);
    IsleFrame.header(memory, AT, IsleFrame.DATA, 7, PAYLOAD, 9);
    MemorySegment.copy(
        payload, 0, memory, ValueLayout.JAVA_BYTE, AT + IsleFrame.HEADER_BYTES, PAYLOAD);
  }

  private int stored() {
    return memory.get(IsleFrame.U32, AT + IsleFrame.CRC_AT);
  }

  @Test
  void theChecksumIsThatOfAllBytesFromTheVersionOn() {
    crc.seal(AT, PAYLOAD);
    CRC32C expected = new CRC32C();
    byte[] frame = memory.asSlice(AT).toArray(ValueLayout.JAVA_BYTE);
    expected.update(frame, 8, frame.length - 8);
    assertEquals((int) expected.getValue(), stored());
    assertTrue(crc.matches(AT, PAYLOAD));
  }

  @Test
  void piecesGiveTheChecksumOfTheWhole() {
    crc.seal(AT, PAYLOAD);
    int whole = stored();
    memory.set(IsleFrame.U32, AT + IsleFrame.CRC_AT, 0);
    crc.begin(AT, IsleFrame.HEADER_BYTES);
    for (int done = 0; done < PAYLOAD; done += 300) {
      crc.add(AT + IsleFrame.HEADER_BYTES + done, Math.min(300, PAYLOAD - done));
    }
    assertFalse(crc.matches(AT));
    crc.seal(AT);
    assertEquals(whole, stored());
    assertTrue(crc.matches(AT));
  }

  @Test
  void aPieceMayLieElsewhere() {
    crc.seal(AT, PAYLOAD);
    ByteBuffer elsewhere = ByteBuffer.allocateDirect(3 + PAYLOAD);
    MemorySegment.copy(
        memory, AT + IsleFrame.HEADER_BYTES, MemorySegment.ofBuffer(elsewhere), 3, PAYLOAD);
    crc.begin(AT, IsleFrame.HEADER_BYTES);
    crc.add(elsewhere, 3, 700);
    assertFalse(crc.matches(AT));
    crc.add(elsewhere, 703, 300);
    assertTrue(crc.matches(AT));
  }
}
