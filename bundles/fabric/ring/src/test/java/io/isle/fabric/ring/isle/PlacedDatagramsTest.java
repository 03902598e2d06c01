package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.ChunkWriter;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that arrive whole go straight to their receiver; all others by the reassembly. */
class PlacedDatagramsTest {
  private static final int HEADER = IsleFrame.HEADER_BYTES;
  private static final long NOW = 1_000_000;

  private final Arena arena = Arena.ofConfined();
  private final LinkMeter meter = new LinkMeter();
  private final FakeDatagramLine line = new FakeDatagramLine(1);
  private final Random random = new Random(2);
  private int bytes;
  private Inbound in;
  private DatagramInput input;
  private MemorySegment into;

  @BeforeEach
  void begin() {
    begin(4000);
  }

  private void begin(int packetBytes) {
    bytes = packetBytes;
    line.joinedPercent = 100;
    line.now = NOW;
    line.cut();
    IsleSpec spec =
        new IsleSpec(
            RingSide.PREV, "ring", "n", 0, bytes, 8, 1 << 20, 250, 5_000_000_000L, "udp://h:1");
    in = new Inbound(spec, meter, arena);
    input = new DatagramInput(spec, meter, arena);
    input.greeted(0, NOW);
    into = arena.allocate(bytes + 8L, 8);
    in.aim(into, 8);
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private byte[] packet(long number) {
    byte[] packet = new byte[bytes];
    new Random(number).nextBytes(packet);
    return packet;
  }

  private List<byte[]> chunks(int kind, long number, byte[] payload) {
    MemorySegment frame = arena.allocate(HEADER + payload.length, 8);
    IsleFrame.header(frame, 0, kind, number, payload.length, NOW);
    MemorySegment.copy(payload, 0, frame, ValueLayout.JAVA_BYTE, HEADER, payload.length);
    new FrameCrc(frame).seal(0, payload.length);
    ChunkWriter writer = new ChunkWriter(ChunkHeader.ISLE);
    writer.begin((int) number & 0xFFFF, 0, frame, 0, HEADER + payload.length);
    MemorySegment batch = arena.allocate(ChunkHeader.DATAGRAM_BYTES);
    List<byte[]> chunks = new ArrayList<>();
    for (int length = writer.fill(batch, 0, 1); length > 0; length = writer.fill(batch, 0, 1)) {
      chunks.add(batch.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }
    return chunks;
  }

  private List<byte[]> chunks(long number) {
    return chunks(IsleFrame.DATA, number, packet(number));
  }

  private void arrive(List<byte[]> chunks) {
    chunks.forEach(chunk -> line.inject(chunk.clone()));
  }

  private int next() {
    return input.next(line.listener, in, NOW);
  }

  /** Whether the packet is in the memory of the call before its frame is delivered. */
  private boolean isPlaced(long number) {
    return Arrays.equals(into.asSlice(8).toArray(ValueLayout.JAVA_BYTE), packet(number));
  }

  private void deliver(long number) {
    long at = input.at();
    String fault = in.take(input.memory(), at, IsleFrame.DATA, bytes, NOW);
    assertEquals("", fault);
    assertTrue(in.endAim());
    assertTrue(isPlaced(number));
    input.delivered(number, NOW);
    into.fill((byte) 0);
    in.aim(into, 8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1368, 1369, 4000, 46 * 1400 - 32})
  void aWholeFrameIsPlaced(int packetBytes) {
    begin(packetBytes);
    for (long number = 1; number < 5; number++) {
      arrive(chunks(number));
      assertEquals(Wire.FRAME, next());
      assertTrue(isPlaced(number));
      deliver(number);
      assertEquals(Wire.NOTHING, next());
    }
  }

  /** The sequence of chunks has fewer bits than the number of their frame. */
  @Test
  void theSequenceWraps() {
    begin(1);
    MemorySegment frame = MemorySegment.ofArray(new byte[HEADER + 1]);
    for (long number = 1; number < 0xFFFE; number++) {
      IsleFrame.header(frame, 0, IsleFrame.DATA, number, 1, NOW);
      in.take(frame, 0, IsleFrame.DATA, 1, NOW);
      in.endAim();
      in.aim(into, 8);
    }
    input.delivered(0xFFFD, NOW);
    for (long number = 0xFFFE; number < 0x10003; number++) {
      arrive(chunks(number));
      assertEquals(Wire.FRAME, next());
      assertTrue(isPlaced(number));
      deliver(number);
    }
  }

  @Test
  void placedAndReassembledFramesTakeTurns() {
    for (long number = 1; number < 200; number++) {
      List<byte[]> chunks = chunks(number);
      boolean mixed = random.nextBoolean();
      if (mixed) {
        Collections.swap(chunks, 0, 1 + random.nextInt(2));
      }
      arrive(chunks);
      if (random.nextInt(3) == 0) {
        arrive(chunks(Math.max(1, number - 1 - random.nextInt(3))));
      }
      assertEquals(Wire.FRAME, next());
      assertEquals(!mixed, isPlaced(number), "frame " + number);
      deliver(number);
    }
    assertEquals(Wire.NOTHING, next());
    assertTrue(meter.get(LinkMeter.STALE) + meter.get(LinkMeter.DUPLICATES) > 0);
    assertEquals(Long.MAX_VALUE, input.deadlineNs(), "nothing is missing");
  }

  /** No byte that a stranger or the way has changed reaches the receiver. */
  @Test
  void aChangedByteIsNotPlaced() {
    for (int bit = 0; bit < 8 * (ChunkHeader.BYTES + HEADER); bit++) {
      refused(bit / 8, bit % 8);
    }
    for (int i = 0; i < 300; i++) {
      refused(random.nextInt(bytes + HEADER + 3 * ChunkHeader.BYTES), random.nextInt(8));
    }
  }

  private void refused(int place, int bit) {
    begin(bytes);
    List<byte[]> chunks = chunks(1);
    int at = place;
    int chunk = 0;
    while (at >= chunks.get(chunk).length) {
      at -= chunks.get(chunk++).length;
    }
    chunks.get(chunk)[at] ^= (byte) (1 << bit);
    arrive(chunks);
    int result = next();
    // the reserved field of a chunk is no part of its frame
    boolean reserved = at == 10 || at == 11;
    assertTrue(reserved || result != Wire.FRAME, "byte " + place + ": " + result);
    assertEquals(-1, into.mismatch(arena.allocate(into.byteSize())));
  }

  @Test
  void otherFramesAreLeftToTheReassembly() {
    byte[] control = new byte[162];
    arrive(chunks(IsleFrame.CONTROL, 1, control));
    assertEquals(Wire.FRAME, next());
    assertEquals(IsleFrame.CONTROL, IsleFrame.kind(input.memory(), input.at()));
    begin(4000);
    arrive(chunks(IsleFrame.DATA, 1, new byte[100]));
    assertEquals(Wire.FRAME, next());
    assertEquals(100, IsleFrame.length(input.memory(), input.at()));
    begin(4000);
    arrive(chunks(2));
    assertEquals(Wire.NOTHING, next());
    arrive(chunks(1));
    assertEquals(Wire.FRAME, next());
    assertFalse(isPlaced(1), "another frame is under way");
    deliver(1);
    assertEquals(Wire.FRAME, next());
    deliver(2);
    begin(4000);
    in.endAim();
    arrive(chunks(1));
    assertEquals(Wire.FRAME, next());
    assertFalse(isPlaced(1), "no call waits");
  }

  @Test
  void memoryThatIsClosedLeavesThePacketToTheNextCall() {
    Arena other = Arena.ofConfined();
    in.aim(other.allocate(bytes, 8), 0);
    other.close();
    arrive(chunks(1));
    assertEquals(Wire.FRAME, next());
    assertEquals("", in.take(input.memory(), input.at(), IsleFrame.DATA, bytes, NOW));
    assertFalse(in.endAim());
    assertTrue(in.deliver(into, 8, NOW));
    assertTrue(isPlaced(1));
  }
}
