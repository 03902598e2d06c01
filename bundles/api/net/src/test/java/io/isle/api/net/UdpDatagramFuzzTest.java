package io.isle.api.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The payload of any bytes is within them. */
class UdpDatagramFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] good = new byte[60];
    UdpHeaders.write(MemorySegment.ofArray(good), 0, 0x0A000001, 1, 0x0A000002, 2, 10);
    byte[] options = good.clone();
    options[14] = 0x4F;
    return Stream.of(good, options, Arrays.copyOf(good, 42), new byte[41], new byte[0]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void thePayloadOfAnyBytesIsWithinThem(byte[] bytes) {
    // nothing behind the frame may be read
    MemorySegment frame = MemorySegment.ofArray(bytes.clone());
    UdpDatagram datagram = new UdpDatagram();
    if (!datagram.read(frame, 0, bytes.length)) {
      return;
    }
    assertTrue(datagram.offset() >= 42 && datagram.length() >= 0);
    assertTrue(datagram.offset() + datagram.length() <= bytes.length);
    assertEquals(UdpHeaders.u16(frame, datagram.offset() - 4), datagram.length() + 8);
  }
}
