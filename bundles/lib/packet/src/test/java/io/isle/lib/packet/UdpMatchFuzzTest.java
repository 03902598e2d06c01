package io.isle.lib.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Of any bytes, those frames are taken that a plain reading of the headers takes. */
class UdpMatchFuzzTest {
  private static final int TO = 0x0A000002;
  private static final UdpMatch ANY = new UdpMatch(List.of(8, 0xFFFF), OptionalInt.empty());
  private static final UdpMatch ONE = new UdpMatch(List.of(8, 0xFFFF), OptionalInt.of(TO));

  static Stream<byte[]> seeds() {
    byte[] good = new byte[60];
    int ignored = UdpFrame.write(MemorySegment.ofArray(good), 0, 0x0A000001, 1, TO, 8, 10);
    byte[] options = good.clone();
    options[14] = 0x4F;
    byte[] elsewhere = good.clone();
    elsewhere[33]++;
    return Stream.of(
        good, options, elsewhere, Arrays.copyOf(good, 41), new byte[0], new byte[0x4F]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void aFrameIsTakenByItsHeaders(byte[] bytes) {
    // nothing behind the frame may be read
    MemorySegment frame = MemorySegment.ofArray(bytes.clone());
    ByteBuffer plain = ByteBuffer.wrap(bytes);
    boolean port = hasPort(plain);
    assertEquals(port, ANY.takes(frame, 0, bytes.length));
    assertEquals(port && plain.getInt(14 + 16) == TO, ONE.takes(frame, 0, bytes.length));
  }

  private static boolean hasPort(ByteBuffer frame) {
    if (frame.limit() < 14 + 20 || frame.getShort(12) != 0x0800 || frame.get(14 + 9) != 17) {
      return false;
    }
    int words = frame.get(14) & 15;
    int udp = 14 + 4 * words;
    if (words < 5 || frame.limit() < udp + 8) {
      return false;
    }
    short port = frame.getShort(udp + 2);
    return port == 8 || port == -1;
  }
}
