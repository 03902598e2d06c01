package io.isle.fabric.ring.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.ChunkHeader;
import io.isle.lib.leap.Sequence;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets of three chunks on a port that a test drives. */
class LeapDatagramsTest {
  private static final int BYTES = 3000;
  private static final long MS = 1_000_000;
  private static final long TIMEOUT = 1000 * MS;

  private final Arena arena = Arena.ofConfined();
  private final FakeDatagrams transport = new FakeDatagrams();
  private final PortSpec spec = Links.spec(RingSide.PREV, "a", BYTES).paths().getFirst().port();
  private final DatagramPort port = (DatagramPort) transport.open(spec);
  private final LinkMeter meter = new LinkMeter();
  private final LeapDatagrams framing =
      new LeapDatagrams(BYTES, 64L * BYTES, TIMEOUT, meter, arena);
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(BYTES, 8);

  @AfterEach
  void close() {
    arena.close();
  }

  private static byte[] chunk(int frame, int chunk) {
    int length = chunk < 2 ? 1400 : 200;
    byte[] bytes = new byte[ChunkHeader.BYTES + length];
    ChunkHeader.write(
        MemorySegment.ofArray(bytes),
        0,
        ChunkHeader.LEAP,
        Sequence.plus(ChunkHeader.FIRST_SEQUENCE, frame),
        chunk,
        3,
        0);
    for (int i = ChunkHeader.BYTES; i < bytes.length; i++) {
      bytes[i] = (byte) (frame + 1);
    }
    return bytes;
  }

  private void arrive(int source, int frame, int... chunks) {
    for (int chunk : chunks) {
      transport.arrive(source, chunk(frame, chunk));
    }
  }

  private long receive(long now) {
    return framing.receive(port, into, 0, now);
  }

  private void assertFrame(int frame) {
    assertEquals((byte) (frame + 1), into.get(ValueLayout.JAVA_BYTE, 0));
    assertEquals((byte) (frame + 1), into.get(ValueLayout.JAVA_BYTE, BYTES - 1));
  }

  @Test
  void aLostFrameIsReportedInItsPlace() {
    arrive(1, 0, 2, 0, 1);
    arrive(1, 1, 0, 2);
    arrive(1, 3, 1, 2, 0);
    assertEquals(BYTES, receive(1));
    assertFrame(0);
    assertEquals(-Errno.EAGAIN, receive(2));
    assertEquals(-Errno.EAGAIN, receive(TIMEOUT));
    assertEquals(1 + TIMEOUT + 1, framing.deadlineNs());
    assertEquals(-Errno.ENODATA, receive(3 + TIMEOUT));
    assertEquals(Optional.of(new RingLoss(0x8002, 2, 3)), framing.loss());
    assertEquals(-Errno.ENODATA, receive(3 + TIMEOUT));
    assertEquals(Optional.of(new RingLoss(0x8003, 0, 0)), framing.loss());
    assertEquals(BYTES, receive(3 + TIMEOUT));
    assertFrame(3);
    assertEquals(2, meter.get(LinkMeter.LOST));
    assertEquals(2, meter.get(LinkMeter.FRAMES_RECEIVED));
  }

  /** The receiver was away for longer than a frame may take; its chunks wait in the system. */
  @Test
  void whatWaitsIsTakenBeforeAFrameIsGivenUp() {
    arrive(1, 0, 0);
    assertEquals(-Errno.EAGAIN, receive(1));
    arrive(1, 0, 1, 2);
    arrive(1, 1, 0, 1, 2);
    assertEquals(BYTES, receive(60 * TIMEOUT));
    assertFrame(0);
    assertEquals(BYTES, receive(60 * TIMEOUT));
    assertFrame(1);
    arrive(1, 2, 0);
    assertEquals(null, framing.peek(port, 61 * TIMEOUT));
    arrive(1, 2, 1, 2);
    assertEquals(BYTES, framing.peek(port, 90 * TIMEOUT).byteSize());
    framing.take();
    assertEquals(0, meter.get(LinkMeter.LOST));
  }

  @Test
  void anotherSourceHasNumbersOfItsOwn() {
    for (int frame = 0; frame < 100; frame++) {
      arrive(1, frame, 0, 1, 2);
      assertEquals(BYTES, receive(frame));
    }
    arrive(1, 100, 0);
    assertEquals(-Errno.EAGAIN, receive(200));
    // 20 frames behind the newest number: late chunks if they were of the same source
    arrive(2, 80, 0, 1, 2);
    assertEquals(-Errno.ENODATA, receive(201));
    assertEquals(BYTES, receive(201));
    assertFrame(80);
    arrive(2, 81, 0, 1, 2);
    assertEquals(BYTES, receive(202));
    assertEquals(0, meter.get(LinkMeter.STALE));
  }

  @Test
  void faultsAreCountedByKind() {
    arrive(1, 0, 0, 0);
    byte[] total = chunk(0, 1);
    total[9] = 4;
    byte[] length = chunk(0, 2);
    length[9] = 3;
    byte[] magic = chunk(0, 1);
    magic[0] = 'l';
    transport.arrive(1, total);
    transport.arrive(1, magic);
    transport.arrive(1, new byte[] {1, 2, 3});
    transport.arrive(1, Arrays.copyOf(length, length.length - 1));
    arrive(1, 0, 1, 2);
    assertEquals(BYTES, receive(1));
    arrive(1, 0, 1);
    assertEquals(-Errno.EAGAIN, receive(2));
    assertEquals(1, meter.get(LinkMeter.DUPLICATES));
    assertEquals(1, meter.get(LinkMeter.STALE));
    assertEquals(1, meter.get(LinkMeter.WRONG_TOTAL));
    assertEquals(1, meter.get(LinkMeter.WRONG_LENGTH));
    assertEquals(2, meter.get(LinkMeter.WRONG_MAGIC));
    LinkInfo info = LinkReport.of(Links.spec(RingSide.PREV, "a", BYTES), port, "", "", meter);
    assertEquals(2, info.counters().malformed());
    assertEquals(1, info.counters().wrongTotals());
    assertEquals(1, info.counters().wrongLengths());
    assertEquals(1, info.counters().stale());
    assertEquals(0, info.counters().overflowed());
  }

  @Test
  void aFrameGoesOnWhereThePortHadNoRoom() {
    packet.fill((byte) 1);
    transport.sends.add(1);
    transport.sends.add(-Errno.EAGAIN);
    assertEquals(-Errno.EAGAIN, framing.send(port, packet, 0, packet, 0, BYTES, 1));
    assertEquals(BYTES, framing.endSend(packet, 0, packet, 0, BYTES));
    packet.fill((byte) 2);
    assertEquals(BYTES, framing.send(port, packet, 8, packet, 8, BYTES - 8, 2));
    assertEquals(6, transport.sent.size());
    for (int i = 0; i < 6; i++) {
      assertArrayEquals(chunk(i / 3, i % 3), transport.sent.get(i));
    }
  }

  @Test
  void aFrameThatIsTooLargeForThePathIsNotTriedAgain() {
    packet.fill((byte) 2);
    transport.sends.add(-Errno.EMSGSIZE);
    assertEquals(-Errno.EMSGSIZE, framing.send(port, packet, 0, packet, 0, BYTES, 1));
    assertEquals(BYTES, framing.send(port, packet, 0, packet, 0, BYTES, 2));
    assertArrayEquals(chunk(1, 0), transport.sent.getFirst());
  }
}
