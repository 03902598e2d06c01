package io.isle.lib.packet;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class UdpMatchTest {
  private static final int TO = 0x0A000002;
  private static final int AT = 3;

  private final MemorySegment memory = MemorySegment.ofArray(new byte[100]);
  private final int length = UdpFrame.write(memory, AT, 0x0A000001, 77, TO, 9, 5);
  private final UdpMatch any = new UdpMatch(List.of(8, 9), OptionalInt.empty());

  @Test
  void portAndAddressDecide() {
    assertTrue(any.takes(memory, AT, length));
    assertTrue(new UdpMatch(List.of(9), OptionalInt.of(TO)).takes(memory, AT, length));
    assertFalse(new UdpMatch(List.of(9), OptionalInt.of(TO + 1)).takes(memory, AT, length));
    assertFalse(new UdpMatch(List.of(77), OptionalInt.empty()).takes(memory, AT, length));
    assertFalse(new UdpMatch(List.of(), OptionalInt.empty()).takes(memory, AT, length));
  }

  @Test
  void framesWithoutAllHeadersStayInTheKernel() {
    for (int bytes = 0; bytes < UdpFrame.MIN_BYTES; bytes++) {
      assertFalse(any.takes(memory, AT, bytes));
    }
    assertTrue(any.takes(memory, AT, UdpFrame.MIN_BYTES));
    memory.set(ValueLayout.JAVA_BYTE, AT + Ethernet.HEADER_BYTES, (byte) 0x44);
    assertFalse(any.takes(memory, AT, length));
  }

  @Test
  void optionsOfIpv4AreSkipped() {
    memory.set(ValueLayout.JAVA_BYTE, AT + Ethernet.HEADER_BYTES, (byte) 0x46);
    int port = AT + Ethernet.HEADER_BYTES + 24 + 2;
    memory.set(ValueLayout.JAVA_BYTE, port, (byte) 0);
    memory.set(ValueLayout.JAVA_BYTE, port + 1, (byte) 8);
    assertTrue(any.takes(memory, AT, UdpFrame.MIN_BYTES + 4));
    assertFalse(any.takes(memory, AT, UdpFrame.MIN_BYTES + 3));
  }
}
