package io.isle.lib.packet.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PcapTest {
  /** Little-endian, microseconds, Ethernet; 3 of 9 bytes at 1.000002 s. */
  private static final byte[] MICROS =
      Files.hex(
          "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000",
          "01000000 02000000 03000000 09000000 aabbcc");

  private static final byte[] BIG_NANOS =
      Files.hex(
          "a1b23c4d 0002 0004 00000000 00000000 0000ffff 00000071",
          "00000001 00000002 00000002 00000002 0102",
          "ffffffff 00000000 00000000 00000000");

  private static String failure(byte[] file) {
    return assertThrows(CaptureException.class, () -> Files.frames(file)).getMessage();
  }

  @Test
  void bothOrdersAndBothTimesAreRead() throws IOException {
    assertEquals(List.of("1 1000002000 aabbcc/9 link 1 if 0"), Files.frames(MICROS));
    assertEquals(
        List.of("1 1000000002 0102/2 link 113 if 0", "2 4294967295000000000 /0 link 113 if 0"),
        Files.frames(BIG_NANOS));
  }

  @Test
  void theHighBitsOfTheLinkTypeTellAboutTheCheckSequence() throws IOException {
    byte[] file = MICROS.clone();
    file[23] = 0x24;
    assertEquals("1 1000002000 aabbcc/9 link 1 if 0", Files.frames(file).getFirst());
  }

  @Test
  void aWrittenFileHasTheBytesOfTheFormat() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PcapWriter writer = new PcapWriter(bytes, LinkType.ETHERNET, 4)) {
      writer.write(1_000_000_002L, MemorySegment.ofArray(new byte[] {9, 1, 2, 3, 4, 5}), 1, 5);
    }
    assertArrayEquals(
        Files.hex(
            "4d3cb2a1 0200 0400 00000000 00000000 04000000 01000000",
            "01000000 02000000 04000000 05000000 01020304"),
        bytes.toByteArray());
    assertEquals(List.of("1 1000000002 01020304/5 link 1 if 0"), Files.frames(bytes.toByteArray()));
  }

  @Test
  void mistakesNameThePlaceAndTheLimit() {
    assertEquals(
        "x.pcap: the file begins neither as pcap nor as pcapng", failure(new byte[] {1, 2, 3, 4}));
    assertEquals("x.pcap: the file begins neither as pcap nor as pcapng", failure(new byte[0]));
    byte[] version = MICROS.clone();
    version[4] = 3;
    assertEquals("x.pcap: file header at offset 0: version 3.4 is not 2.4", failure(version));
    byte[] length = MICROS.clone();
    length[34] = 5;
    assertEquals(
        "x.pcap: record 1 at offset 24: captured length 327683 is greater than 262144",
        failure(length));
    assertEquals(
        "x.pcap: record 1 at offset 24: the file ends at offset 42, 1 bytes too early",
        failure(Arrays.copyOf(MICROS, 42)));
    assertEquals(
        "x.pcap: record 1 at offset 24: the file ends at offset 30, 10 bytes too early",
        failure(Arrays.copyOf(MICROS, 30)));
    assertEquals(
        "x.pcap: file header at offset 0: the file ends at offset 5, 19 bytes too early",
        failure(Arrays.copyOf(MICROS, 5)));
  }

  @Test
  void aSnapLengthIsWithinItsLimits() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new PcapWriter(new ByteArrayOutputStream(), 1, 262_145));
  }
}
