package io.isle.lib.packet.capture;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file has frames within their limits, and ends, or a mistake in words. */
class CaptureFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    MemorySegment frame = MemorySegment.ofArray(new byte[60]);
    ByteArrayOutputStream old = new ByteArrayOutputStream();
    try (PcapWriter writer = new PcapWriter(old, 1, 50)) {
      writer.write(5, frame, 0, 60);
    }
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    try (PcapngWriter writer = new PcapngWriter(blocks, "isle", 50)) {
      writer.addInterface("va", 1);
      writer.write(
          0, 5, frame, 0, 60, 60, new PcapngWriter.Facts(Direction.INBOUND, 1, 2, "comment"));
    }
    byte[] simple =
        Files.hex(
            "0a0d0d0a0000001c1a2b3c4d00010000ffffffffffffffff0000001c",
            "000000010000001400010000000000020000001400000003000000140000000901020000",
            "00000014");
    return Stream.of(old.toByteArray(), blocks.toByteArray(), simple, new byte[0]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void aFileHasFramesOrAMistake(byte[] file) throws IOException {
    try (CaptureReader reader = Files.open(file)) {
      long frames = 0;
      while (reader.next()) {
        frames++;
        assertTrue(reader.number() == frames && frames <= file.length);
        assertTrue(reader.length() >= 0 && reader.length() <= file.length);
        assertTrue(reader.linkType() >= 0 && reader.linkType() <= 65535);
        assertTrue(reader.comment().length() <= 4096 && reader.interfaceName().length() <= 4096);
        assertTrue(reader.offset() <= file.length);
      }
    } catch (CaptureException e) {
      assertTrue(e.getMessage().startsWith("x.pcap: "));
      assertFalse(e.getMessage().endsWith(": "));
    }
  }
}
