package io.isle.lib.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes have a reason, or fields within their limits. */
class UdpFrameFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] good = new byte[60];
    MemorySegment frame = MemorySegment.ofArray(good);
    int ignored = UdpFrame.write(frame, 0, 0x0A000001, 1, 0x0A000002, 2, 10);
    byte[] options = good.clone();
    options[14] = 0x4F;
    return Stream.of(good, options, new byte[0], new byte[42]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void aFrameHasAReasonOrFieldsWithinTheirLimits(byte[] bytes) {
    // nothing behind the frame may be read
    MemorySegment frame = MemorySegment.ofArray(bytes.clone());
    Drop strict = UdpFrame.check(frame, 0, bytes.length, true);
    Drop lax = UdpFrame.check(frame, 0, bytes.length, false);
    assertEquals(strict == Drop.CHECKSUM ? Drop.NONE : strict, lax);
    if (lax != Drop.NONE) {
      return;
    }
    int headers = UdpFrame.headerBytes(frame, 0);
    int payload = UdpFrame.payloadBytes(frame, 0);
    assertTrue(headers >= 42 && headers <= 82 && payload >= 0);
    assertTrue(headers + payload <= bytes.length);
    long signature = UdpFrame.received(frame, 0, 1);
    assertEquals(headers, NetSig.headerBytes(signature));
    assertEquals(Ipv4.source(frame, 14), NetSig.address(signature));
  }
}
