package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.packet.InternetChecksum;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VnetHeaderTest {
  private static byte[] header(int flags, int segmentation, int start, int offset) {
    byte[] header = new byte[VnetHeader.BYTES];
    MemorySegment memory = MemorySegment.ofArray(header);
    header[0] = (byte) flags;
    header[1] = (byte) segmentation;
    ValueLayout.OfShort u16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.nativeOrder());
    memory.set(u16, 6, (short) start);
    memory.set(u16, 8, (short) offset);
    return header;
  }

  private static byte[] joined(byte[] header, byte[] frame) {
    byte[] all = Arrays.copyOf(header, header.length + frame.length);
    System.arraycopy(frame, 0, all, header.length, frame.length);
    return all;
  }

  @Test
  void aFrameThatNeedsNothingStaysAsItIs() {
    byte[] all = joined(header(2, 0, 34, 6), new byte[60]);
    byte[] before = all.clone();
    assertTrue(VnetHeader.complete(MemorySegment.ofArray(all), 0, 60));
    assertArrayEquals(before, all);
  }

  @Test
  void anUnfinishedChecksumCoversAllFromItsStart() {
    byte[] frame = new byte[61];
    for (int i = 0; i < frame.length; i++) {
      frame[i] = (byte) (i * 7);
    }
    byte[] all = joined(header(1, 0, 34, 6), frame);
    MemorySegment memory = MemorySegment.ofArray(all);
    // what the sender has put there is part of the sum
    int expected = InternetChecksum.of(memory, VnetHeader.BYTES + 34, 27);
    assertTrue(VnetHeader.complete(memory, 0, 61));
    assertEquals(expected >> 8, all[VnetHeader.BYTES + 40] & 0xFF);
    assertEquals(expected & 0xFF, all[VnetHeader.BYTES + 41] & 0xFF);
  }

  @Test
  void aChecksumOfZeroIsWrittenAsItsOtherForm() {
    byte[] frame = new byte[60];
    frame[50] = (byte) 0xFF;
    frame[51] = (byte) 0xFF;
    byte[] all = joined(header(1, 0, 34, 6), frame);
    assertTrue(VnetHeader.complete(MemorySegment.ofArray(all), 0, 60));
    assertEquals((byte) 0xFF, all[VnetHeader.BYTES + 40]);
    assertEquals((byte) 0xFF, all[VnetHeader.BYTES + 41]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 0x80, 0xFF})
  void aFrameToBeCutIsRefused(int segmentation) {
    byte[] all = joined(header(1, segmentation, 34, 6), new byte[60]);
    assertFalse(VnetHeader.complete(MemorySegment.ofArray(all), 0, 60));
  }

  @Test
  void aChecksumOutsideOfTheFrameIsRefused() {
    for (int[] place : new int[][] {{61, 0}, {34, 25}, {60, 0}, {0xFFFF, 0xFFFF}}) {
      byte[] all = joined(header(1, 0, place[0], place[1]), new byte[60]);
      assertFalse(VnetHeader.complete(MemorySegment.ofArray(all), 0, 60));
    }
    byte[] last = joined(header(1, 0, 34, 24), new byte[60]);
    assertTrue(VnetHeader.complete(MemorySegment.ofArray(last), 0, 60));
  }

  @Test
  void aHeaderToSendAsksForNothing() {
    byte[] all = new byte[VnetHeader.BYTES + 4];
    Arrays.fill(all, (byte) 0x55);
    VnetHeader.clear(MemorySegment.ofArray(all), 2);
    assertArrayEquals(new byte[VnetHeader.BYTES], Arrays.copyOfRange(all, 2, 12));
    assertEquals(0x55, all[1]);
    assertEquals(0x55, all[12]);
  }

  static Stream<byte[]> seeds() {
    return Stream.of(
        joined(header(1, 0, 34, 6), new byte[60]),
        joined(header(1, 0, 60, 0), new byte[60]),
        joined(header(1, 0, 0, 0), new byte[2]),
        joined(header(0, 1, 0, 0), new byte[14]));
  }

  /** Whatever the header says, two bytes inside of the frame change at most. */
  @MethodSource("seeds")
  @FuzzTest
  void anyHeaderStaysInsideOfTheFrame(byte[] bytes) {
    if (bytes.length < VnetHeader.BYTES || bytes.length > VnetHeader.BYTES + 65_535) {
      return;
    }
    byte[] after = bytes.clone();
    boolean taken =
        VnetHeader.complete(MemorySegment.ofArray(after), 0, bytes.length - VnetHeader.BYTES);
    int first = Arrays.mismatch(bytes, after);
    if (first >= 0) {
      assertTrue(taken && first >= VnetHeader.BYTES);
      int rest = Math.min(first + 2, bytes.length);
      assertArrayEquals(
          Arrays.copyOfRange(bytes, rest, bytes.length),
          Arrays.copyOfRange(after, rest, bytes.length));
    }
  }
}
