package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChunkWriterTest {
  @Test
  void theHeaderToTheByte() {
    MemorySegment datagram = MemorySegment.ofArray(new byte[14]);
    ChunkHeader.write(datagram, 1, ChunkHeader.LEAP, 0x8001, 0x0203, 0xFFFE, 0);
    assertEquals("00 4c 45 41 50 80 01 02 03 ff fe 00 00 00", Bytes.hex(datagram, 0, 14));
    assertEquals(ChunkHeader.LEAP, ChunkHeader.magic(datagram, 1));
    assertEquals(0x8001, ChunkHeader.sequence(datagram, 1));
    assertEquals(0x0203, ChunkHeader.chunk(datagram, 1));
    assertEquals(0xFFFE, ChunkHeader.total(datagram, 1));
    assertEquals(0, ChunkHeader.reserved(datagram, 1));
    ChunkHeader.write(datagram, 0, ChunkHeader.ISLE, 1, 0, 1, 1);
    assertEquals("49 53 4c 45 00 01 00 00 00 01 00 01", Bytes.hex(datagram, 0, 12));
  }

  @Test
  void countsAtTheEdges() {
    assertEquals(1, Chunks.count(1));
    assertEquals(1, Chunks.count(1400));
    assertEquals(2, Chunks.count(1401));
    assertEquals(12, Chunks.count(16_392));
    assertEquals(65_535, Chunks.count(Packets.MAX_BYTES));
    assertEquals(1, Chunks.length(1401, 1));
    assertEquals(1400, Chunks.length(1400, 0));
    assertEquals(91_747_600, Chunks.offset(65_534));
    assertTrue(Chunks.MAX_BATCH_BYTES <= 65_507 && Chunks.MAX_BATCH <= 64);
    assertEquals(46, Chunks.MAX_BATCH);
  }

  @Test
  void sequencesWrap() {
    assertEquals(0, Sequence.plus(0xFFFF, 1));
    assertEquals(0xFFFF, Sequence.plus(0, -1));
    assertEquals(1, Sequence.distance(0xFFFF, 0));
    assertEquals(-1, Sequence.distance(0, 0xFFFF));
    assertEquals(0x8001, Sequence.ofNumber(1));
    assertEquals(0, Sequence.ofNumber(0x8000));
    assertEquals(0x8001, Sequence.ofNumber(0x10001));
  }

  @Test
  void framesOutOfRangeAreRefused() {
    MemorySegment frame = MemorySegment.ofArray(new byte[10]);
    ChunkWriter writer = new ChunkWriter(ChunkHeader.LEAP);
    assertEquals(
        "a frame has 1 to 91749000 bytes, not 0",
        assertThrows(IllegalArgumentException.class, () -> writer.begin(1, 0, frame, 0, 0))
            .getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> writer.begin(1, 0, frame, 1, 10));
    assertEquals(0, writer.fill(frame, 0, 9));
    writer.begin(1, 0, frame, 0, 10);
    writer.end();
    assertEquals(0, writer.total());
  }

  /** Against datagrams that are put together one by one. */
  @Property(tries = 500)
  void batchesAreTheDatagramsOneBehindTheOther(
      @ForAll @IntRange(min = 1, max = 20_000) int bytes,
      @ForAll @IntRange(max = 3000) int part,
      @ForAll @IntRange(max = 65_535) int sequence,
      @ForAll @IntRange(min = 1, max = 46) int most) {
    int headBytes = Math.min(part, bytes);
    byte[] data = new byte[bytes];
    new Random(bytes).nextBytes(data);
    MemorySegment head = MemorySegment.ofArray(Arrays.copyOfRange(data, 0, headBytes));
    byte[] shifted = new byte[bytes - headBytes + 5];
    System.arraycopy(data, headBytes, shifted, 5, bytes - headBytes);
    ChunkWriter writer = new ChunkWriter(ChunkHeader.LEAP);
    writer.begin(
        sequence, 0, head, 0, headBytes, MemorySegment.ofArray(shifted), 5, bytes - headBytes);
    MemorySegment batch = MemorySegment.ofArray(new byte[Chunks.MAX_BATCH_BYTES + 3]);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    while (writer.next() < writer.total()) {
      int before = writer.next();
      int length = writer.fill(batch, 3, most);
      assertTrue(writer.next() - before <= most);
      sent.writeBytes(batch.asSlice(3, length).toArray(ValueLayout.JAVA_BYTE));
    }
    assertEquals(0, writer.fill(batch, 3, most));
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    int total = (bytes + 1399) / 1400;
    for (int chunk = 0; chunk < total; chunk++) {
      for (int word : new int[] {0x4C45, 0x4150, sequence, chunk, total, 0}) {
        expected.write(word >>> 8);
        expected.write(word);
      }
      int end = Math.min(bytes, 1400 * (chunk + 1));
      expected.writeBytes(Arrays.copyOfRange(data, 1400 * chunk, end));
    }
    assertArrayEquals(expected.toByteArray(), sent.toByteArray());
  }

  @Test
  void aChunkIsSentAgain() {
    byte[] data = new byte[3000];
    new Random(1).nextBytes(data);
    ChunkWriter writer = new ChunkWriter(ChunkHeader.ISLE);
    writer.begin(7, 0, MemorySegment.ofArray(data), 0, data.length);
    MemorySegment batch = MemorySegment.ofArray(new byte[Chunks.MAX_BATCH_BYTES]);
    assertEquals(3000 + 36, writer.fill(batch, 0, 46));
    writer.seek(2);
    assertEquals(212, writer.fill(batch, 0, 1));
    assertEquals(2, ChunkHeader.chunk(batch, 0));
    assertArrayEquals(
        Arrays.copyOfRange(data, 2800, 3000),
        batch.asSlice(12, 200).toArray(ValueLayout.JAVA_BYTE));
    assertThrows(IndexOutOfBoundsException.class, () -> writer.seek(4));
  }
}
