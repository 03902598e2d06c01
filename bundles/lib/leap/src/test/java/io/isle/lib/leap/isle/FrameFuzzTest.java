package io.isle.lib.leap.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.ControlReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any frame of each kind: a fault in words, or contents within their limits, which have one
 * writing.
 */
class FrameFuzzTest {
  private static final int PACKET_BYTES = 264;

  static Stream<byte[]> seeds() {
    Hello hello = new Hello(false, "ring", "n1", 1, 5, 6, 7, PACKET_BYTES, 64, 250, "tcp://h:1");
    RollCall.Entry entry = new RollCall.Entry("n1", "udp://h:2", 5, 1, 1, 2, 4, true, false, 9000);
    return Stream.of(
        frame(IsleFrame.HELLO, 0, Hello.BYTES, to -> hello.write(to, IsleFrame.HEADER_BYTES)),
        frame(IsleFrame.DATA, 1, PACKET_BYTES, to -> {}),
        frame(IsleFrame.CONTROL, 2, Control.MESSAGE_BYTES, to -> {}),
        frame(IsleFrame.ACK, 0, Ack.BYTES, to -> Ack.write(to, IsleFrame.HEADER_BYTES, 3, 4, 5, 6)),
        frame(IsleFrame.HEARTBEAT, 0, Heartbeat.BYTES, FrameFuzzTest::heartbeat),
        frame(
            IsleFrame.NACK,
            0,
            Nack.bytes(2),
            to -> {
              Nack.write(to, IsleFrame.HEADER_BYTES, 9, 2);
              Nack.range(to, IsleFrame.HEADER_BYTES, 0, 1, 3);
              Nack.range(to, IsleFrame.HEADER_BYTES, 1, 5, 5);
            }),
        frame(
            IsleFrame.ROLL_CALL,
            0,
            RollCall.HEADER_BYTES + 2 * RollCall.ENTRY_BYTES,
            to ->
                new RollCall(1, 3, true, List.of(entry, entry)).write(to, IsleFrame.HEADER_BYTES)),
        frame(
            IsleFrame.NOTICE,
            0,
            Notice.BYTES,
            to ->
                new Notice("n1", 3, "n2", "tcp://h:3", Notice.Cause.STUCK, 8, 9, 4, "its stage")
                    .write(to, IsleFrame.HEADER_BYTES)),
        frame(
            IsleFrame.GOODBYE,
            0,
            Goodbye.BYTES,
            to -> new Goodbye(Goodbye.Reason.SWITCHED, 7).write(to, IsleFrame.HEADER_BYTES)),
        frame(
            IsleFrame.REFUSAL,
            0,
            Refusal.write(room(Refusal.MAX_BYTES), 0, "ring: ours is a"),
            to -> {
              int ignored = Refusal.write(to, IsleFrame.HEADER_BYTES, "ring: ours is a");
            }));
  }

  private static MemorySegment room(int bytes) {
    return MemorySegment.ofArray(new byte[bytes]);
  }

  private static void heartbeat(MemorySegment to) {
    Heartbeat.link(to, IsleFrame.HEADER_BYTES, 8, 7, 1, 2, 3);
    Heartbeat.node(to, IsleFrame.HEADER_BYTES, 1, 6, 100, 2, 4, true);
  }

  private static byte[] frame(int kind, long number, int length, Consumer<MemorySegment> payload) {
    byte[] bytes = new byte[IsleFrame.HEADER_BYTES + length];
    MemorySegment frame = MemorySegment.ofArray(bytes);
    payload.accept(frame);
    IsleFrame.header(frame, 0, kind, number, length, 77);
    return bytes;
  }

  @MethodSource("seeds")
  @FuzzTest
  void aFrameHasAFaultOrContentsWithinTheirLimits(byte[] bytes) {
    if (bytes.length < IsleFrame.HEADER_BYTES) {
      return;
    }
    MemorySegment frame = MemorySegment.ofArray(bytes.clone());
    long ignored = PeerDialect.ofStream(frame, 0, bytes.length).ordinal();
    if (!IsleFrame.fault(frame, 0, PACKET_BYTES).isEmpty()) {
      return;
    }
    int length = IsleFrame.length(frame, 0);
    assertTrue(length >= 1 && length <= Math.max(PACKET_BYTES, IsleFrame.MIN_CAPACITY));
    if (bytes.length == IsleFrame.HEADER_BYTES + length) {
      checked(frame, length);
    }
  }

  private static void checked(MemorySegment frame, int length) {
    FrameCrc crc = new FrameCrc(frame);
    crc.seal(0, length);
    assertTrue(crc.matches(0, length));
    long at = IsleFrame.HEADER_BYTES;
    try {
      switch (IsleFrame.kind(frame, 0)) {
        case IsleFrame.HELLO -> same(frame, to -> Hello.read(frame, at).write(to, at));
        case IsleFrame.CONTROL -> control(frame, at);
        case IsleFrame.ACK -> ack(frame, at);
        case IsleFrame.HEARTBEAT -> heartbeat(frame, at);
        case IsleFrame.NACK -> nack(frame, at, length);
        case IsleFrame.ROLL_CALL ->
            same(frame, to -> RollCall.read(frame, at, length).write(to, at));
        case IsleFrame.NOTICE -> assertFalse(Notice.read(frame, at).node().isEmpty());
        case IsleFrame.GOODBYE -> same(frame, to -> Goodbye.read(frame, at).write(to, at));
        case IsleFrame.REFUSAL -> assertTrue(Refusal.read(frame, at, length).lines().count() <= 1);
        default -> {}
      }
    } catch (FrameException e) {
      assertFalse(e.getMessage().isEmpty());
    }
  }

  /** The payload is written again as it was read. */
  private static void same(MemorySegment frame, Consumer<MemorySegment> write) {
    MemorySegment again = MemorySegment.ofArray(frame.toArray(ValueLayout.JAVA_BYTE));
    again.asSlice(IsleFrame.HEADER_BYTES).fill((byte) 0x55);
    write.accept(again);
    assertEquals(-1, frame.mismatch(again));
  }

  private static void control(MemorySegment frame, long at) {
    ControlReader reader = new ControlReader();
    if (reader.message(frame, at) && reader.type() == Control.RESIZE_CHAIN) {
      assertTrue(reader.index() < reader.workers());
    }
  }

  private static void ack(MemorySegment frame, long at) {
    if (Ack.fault(frame, at, 100).isEmpty()) {
      assertTrue(Ack.delivered(frame, at) >= 0 && Ack.delivered(frame, at) <= 100);
      assertTrue(Ack.window(frame, at) >= 0 && Ack.window(frame, at) <= Hello.MAX_WINDOW);
    }
  }

  private static void heartbeat(MemorySegment frame, long at) {
    if (Heartbeat.fault(frame, at, 0, 100).isEmpty()) {
      assertTrue(Heartbeat.sent(frame, at) >= 0 && Heartbeat.delivered(frame, at) <= 100);
      assertTrue(Heartbeat.work(frame, at) >= 0 && Heartbeat.workAgeNs(frame, at) >= 0);
      assertTrue(Heartbeat.start(frame, at) <= Heartbeat.end(frame, at));
    }
  }

  private static void nack(MemorySegment frame, long at, int length) {
    if (Nack.fault(frame, at, length).isEmpty()) {
      int before = -1;
      for (int i = 0; i < Nack.ranges(frame, at); i++) {
        assertTrue(Nack.first(frame, at, i) > before);
        before = Nack.last(frame, at, i);
      }
    }
  }
}
