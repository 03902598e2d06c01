package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any frame passes all kinds of apps; an answer is a datagram of the same bytes. */
class HostileFrameFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] good = Frames.request(20);
    byte[] options = good.clone();
    options[14] = 0x4F;
    return Stream.of(good, options, Arrays.copyOf(good, 40), new byte[14], new byte[2048]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void anyFramePassesAllKinds(byte[] bytes) throws IOException {
    if (bytes.length < 14 || bytes.length > MemoryPort.MTU) {
      return;
    }
    MemoryPort port = new MemoryPort();
    port.put(bytes, bytes[0] * 0x0101_0101_0101_0101L);
    assertEquals(1, new DropTask(port).cycle(0));
    port.put(bytes, 0);
    assertEquals(1, new EchoTask(port).cycle(0));
    byte[] answer = port.take();
    if (answer.length > 0) {
      assertEquals(bytes.length, answer.length);
      assertEquals(Drop.NONE, UdpFrame.check(MemorySegment.ofArray(bytes), 0, bytes.length, false));
    }
    PcapngWriter writer = new PcapngWriter(OutputStream.nullOutputStream(), "t", 65535);
    writer.addInterface("n", LinkType.ETHERNET);
    CaptureTask capture =
        new CaptureTask(port, writer, new CaptureFilter(9000, Frames.SERVER, false), 0, 0);
    port.put(bytes, bytes[1] * 0x0101_0101_0101_0101L);
    assertEquals(1, capture.cycle(0));
    assertTrue(capture.failure().isEmpty());
  }
}
