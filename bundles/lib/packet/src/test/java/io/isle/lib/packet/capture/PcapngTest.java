package io.isle.lib.packet.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PcapngTest {
  private static final String SECTION =
      "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000";

  /** "va" in nanoseconds, without a limit of bytes. */
  private static final String INTERFACE =
      "01000000 28000000 0100 0000 00000000"
          + "0200 0200 76610000 0900 0100 09000000 0000 0000 28000000";

  private static final String FRAME =
      "06000000 4c000000 00000000 00000000 05000000 03000000 08000000 01020300"
          + "0200 0400 02000000 0400 0800 0700000000000000 0600 0400 03000000"
          + "0100 0200 68690000 00000000"
          + "4c000000";

  private static final String BIG =
      "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c"
          + "00000001 00000014 0001 0000 00000002 00000014"
          + "00000003 00000014 00000009 01020000 00000014"
          + "00000006 00000024 00000000 00000000 00000007 00000001 00000001 05000000 00000024";

  private static String failure(String... parts) {
    return assertThrows(CaptureException.class, () -> Files.frames(Files.hex(parts))).getMessage();
  }

  @Test
  void optionsOfAFrameAreRead() throws IOException {
    assertEquals(
        List.of("1 5 010203/8 link 1 if 0 va OUTBOUND queue 3 lost 7 'hi'"),
        Files.frames(Files.hex(SECTION, INTERFACE, FRAME)));
  }

  @Test
  void aFurtherSectionHasItsOwnOrderAndInterfaces() throws IOException {
    assertEquals(
        List.of(
            "1 5 010203/8 link 1 if 0 va OUTBOUND queue 3 lost 7 'hi'",
            "2 - 0102/9 link 1 if 0",
            "3 7000 05/1 link 1 if 0"),
        Files.frames(Files.hex(SECTION, INTERFACE, FRAME, BIG)));
  }

  @Test
  void otherBlocksAreSkipped() throws IOException {
    String names = "04000000 10000000 00000000 10000000";
    String unknown = "0b0b0b0b 0c000000 0c000000";
    assertEquals(
        1, Files.frames(Files.hex(SECTION, names, INTERFACE, unknown, FRAME, unknown)).size());
  }

  @Test
  void obsoleteFramesAreRead() throws IOException {
    String old =
        "02000000 24000000 0000 0300 00000000 09000000 01000000 01000000 ee000000 24000000";
    assertEquals(
        List.of("1 9 ee/1 link 1 if 0 va lost 3"),
        Files.frames(Files.hex(SECTION, INTERFACE, old)));
  }

  @Test
  void mistakesNameThePlaceAndTheLimit() {
    String cause = failure(SECTION, FRAME);
    assertEquals(
        "x.pcap: block 2 at offset 28: interface 0 is not described; the section has 0 so far",
        cause);
    assertEquals(
        "x.pcap: block 3 at offset 68: captured length 268435459 is greater than 262144",
        failure(SECTION, INTERFACE, FRAME.replaceFirst("03000000 08", "03000010 08")));
    assertEquals(
        "x.pcap: block 3 at offset 68: captured length 60 does not fit into the block, which has 44",
        failure(SECTION, INTERFACE, FRAME.replaceFirst("03000000 08", "3c000000 08")));
    assertEquals(
        "x.pcap: block 3 at offset 68: option 2 has length 5, not 4",
        failure(SECTION, INTERFACE, FRAME.replaceFirst("0200 0400", "0200 0500")));
    assertEquals(
        "x.pcap: block 3 at offset 68: option 2 has length 240, of which 36 bytes are there",
        failure(SECTION, INTERFACE, FRAME.replaceFirst("0200 0400", "0200 f000")));
    assertEquals(
        "x.pcap: block 2 at offset 28: block length 41 is no multiple of 4 from 12 on",
        failure(SECTION, "01000000 29000000"));
    assertEquals(
        "x.pcap: block 2 at offset 28: block length 16 is less than 20",
        failure(SECTION, "01000000 10000000 00000000 10000000"));
    assertEquals(
        "x.pcap: block 2 at offset 28: the block ends with length 13, and begins with 12",
        failure(SECTION, "0b000000 0c000000 0d000000"));
    assertEquals(
        "x.pcap: section header at offset 0: version 2.0 is not 1.x",
        failure(SECTION.replace("0100 0000", "0200 0000")));
    assertEquals(
        "x.pcap: section header at offset 0: the byte order mark is neither 1a2b3c4d nor 4d3c2b1a",
        failure(SECTION.replace("4d3c2b1a", "4d3c2b1b")));
    assertEquals(
        "x.pcap: block 2 at offset 28: the file ends at offset 48, 4294967268 bytes too early",
        failure(SECTION, "0b000000 fcffffff 000000000000000000000000"));
  }

  @Test
  void tooManyInterfacesAreRefused() {
    String one = "01000000 14000000 0100 0000 00000000 14000000";
    String[] parts = new String[4098];
    Arrays.fill(parts, one);
    parts[0] = SECTION;
    String cause = failure(parts);
    assertTrue(cause.endsWith("the section has more than 4096 interfaces"), cause);
  }

  @Test
  void aWrittenFileHasTheBytesOfTheFormat() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PcapngWriter writer = new PcapngWriter(bytes, "isle", 100)) {
      assertEquals(0, writer.addInterface("va", LinkType.ETHERNET));
      writer.write(
          0,
          0x1_0000_0005L,
          MemorySegment.ofArray(new byte[] {9, 1, 2, 3}),
          1,
          3,
          8,
          new PcapngWriter.Facts(Direction.INBOUND, 3, 7, "hi"));
    }
    assertArrayEquals(
        Files.hex(
            "0a0d0d0a 28000000 4d3c2b1a 0100 0000 ffffffffffffffff",
            "0400 0400 69736c65 00000000 28000000",
            "01000000 28000000 0100 0000 64000000",
            "0200 0200 76610000 0900 0100 09000000 00000000 28000000",
            "06000000 4c000000 00000000 01000000 05000000 03000000 08000000 01020300",
            "0200 0400 01000000 0400 0800 0700000000000000 0600 0400 03000000",
            "0100 0200 68690000 00000000 4c000000"),
        bytes.toByteArray());
  }

  @Property(tries = 100)
  void whatIsWrittenIsRead(
      @ForAll @LongRange(min = 0) long time,
      @ForAll @Size(max = 40) byte[] frame,
      @ForAll @IntRange(min = 1, max = 50) int snap,
      @ForAll Direction direction,
      @ForAll @IntRange(min = -1, max = 9) int queue,
      @ForAll @LongRange(min = 0) long lost)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String comment = "é".repeat(queue + 1);
    try (PcapngWriter writer = new PcapngWriter(bytes, "isle", snap)) {
      writer.addInterface("a", 1);
      int id = writer.addInterface("b", 101);
      PcapngWriter.Facts facts = new PcapngWriter.Facts(direction, queue, lost, comment);
      for (int i = 0; i < 2; i++) {
        writer.write(id, time, MemorySegment.ofArray(frame), 0, frame.length, frame.length, facts);
      }
    }
    try (CaptureReader reader = Files.open(bytes.toByteArray())) {
      for (int i = 1; i <= 2; i++) {
        assertTrue(reader.next());
        assertEquals(i, reader.number());
        assertEquals(time, reader.timeNs());
        assertEquals(Math.min(snap, frame.length), reader.length());
        assertEquals(frame.length, reader.wireLength());
        assertEquals(101, reader.linkType());
        assertEquals("b", reader.interfaceName());
        assertEquals(direction, reader.direction());
        assertEquals(queue, reader.queue());
        assertEquals(lost, reader.lost());
        assertEquals(comment, reader.comment());
      }
      assertTrue(!reader.next());
      assertEquals(bytes.size(), reader.offset());
    }
  }

  @Test
  void longTextsAreCutBetweenCharacters() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PcapngWriter writer = new PcapngWriter(bytes, "isle", 100)) {
      writer.addInterface("x" + "é".repeat(1000), LinkType.ETHERNET);
      writer.write(0, 0, MemorySegment.ofArray(new byte[20]), 0, 20);
      assertThrows(
          IllegalArgumentException.class,
          () -> writer.write(1, 0, MemorySegment.ofArray(new byte[20]), 0, 20));
    }
    try (CaptureReader reader = Files.open(bytes.toByteArray())) {
      assertTrue(reader.next());
      assertEquals("x" + "é".repeat(511), reader.interfaceName());
    }
  }
}
