package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Large packets that go from a bank straight to the memory of a receiving call. */
class PlacedPacketsTest {
  private static final int BYTES = 10_000;
  private static final int AT = 24;
  private static final int HEADER = IsleFrame.HEADER_BYTES;
  private static final long MS = 1_000_000;
  private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;

  private final Arena arena = Arena.ofConfined();
  private final FakeBanks banks = new FakeBanks(1, 16_384);
  private final End next = new End(spec(RingSide.NEXT, "a"), 1, arena);
  private final End prev = new End(spec(RingSide.PREV, "b"), 2, arena);
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(AT + BYTES, 8);
  private long now = 1;

  /** Parts that were copied straight. */
  private int straight;

  private static IsleSpec spec(RingSide side, String node) {
    return new IsleSpec(side, "r", node, 0, BYTES, 8, 1 << 20, 250, 1, "");
  }

  @BeforeEach
  void connect() {
    next.lane.port(banks.port(RingSide.NEXT).kind(), false, now);
    prev.lane.port(banks.port(RingSide.PREV).kind(), false, now);
    untilUp();
    banks.copied = this::count;
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    MemorySegment.copy(bytes, 0, packet, U8, 0, BYTES);
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private void count(byte[] frame, int from, MemorySegment to) {
    straight += to.equals(into) ? 1 : 0;
  }

  private void untilUp() {
    for (int i = 0; i < 1000 && !(next.machine.isUp() && prev.machine.isUp()); i++) {
      step();
    }
    assertTrue(next.machine.isUp() && prev.machine.isUp());
    for (int i = 0; i < 10; i++) {
      step();
    }
  }

  private void step() {
    now += MS;
    long ignored = next.machine.poll(now);
    ignored = prev.machine.poll(now);
  }

  private void send() {
    packet.set(U8, 0, (byte) (packet.get(U8, 0) + 1));
    assertEquals(0, next.machine.send(IsleFrame.DATA, packet, 0, packet, 0, BYTES, now));
  }

  private long receive(MemorySegment memory) {
    return prev.machine.receive(memory, AT, now);
  }

  private void assertReceived(MemorySegment memory) {
    assertEquals(BYTES, receive(memory));
    assertEquals(-1, memory.asSlice(AT, BYTES).mismatch(packet));
    assertFalse(prev.machine.isControl());
    assertEquals(0, prev.meter.get(LinkMeter.MALFORMED));
  }

  @Test
  void aPacketInOrderGoesStraightToTheCallThatWaits() {
    for (int i = 1; i <= 20; i++) {
      send();
      assertReceived(into);
      assertEquals(3 * i, straight);
      assertEquals(-Errno.EAGAIN, receive(into));
    }
  }

  @Test
  void aPacketBehindOneInTheQueueStaysInOrder() {
    send();
    step();
    MemorySegment first = arena.allocate(BYTES, 8).copyFrom(packet);
    send();
    assertEquals(BYTES, receive(into));
    assertEquals(-1, into.asSlice(AT, BYTES).mismatch(first));
    assertEquals(0, straight);
    assertReceived(into);
  }

  @Test
  void aWrongChecksumEndsThePathAndThePacketComesAgain() {
    banks.copied =
        (frame, from, to) -> {
          count(frame, from, to);
          frame[5000] ^= (byte) (from == 0 && !to.equals(into) && straight == 0 ? 1 : 0);
        };
    send();
    assertEquals(-Errno.EAGAIN, receive(into));
    assertEquals(3, straight);
    assertEquals(1, prev.meter.get(LinkMeter.MALFORMED));
    assertTrue(prev.lane.reason().contains("checksum"), prev.lane.reason());
    banks.copied = this::count;
    for (int i = 0; i < 20_000 && !prev.machine.hasPacket(); i++) {
      step();
    }
    assertEquals(BYTES, receive(into));
    assertEquals(-1, into.asSlice(AT, BYTES).mismatch(packet));
  }

  @Test
  void aBankThatIsChangedBehindTheCopyChangesNothing() {
    banks.copied =
        (frame, from, to) -> {
          count(frame, from, to);
          if (to.equals(into)) {
            frame[from] ^= (byte) 1;
          }
        };
    send();
    assertReceived(into);
    assertEquals(3, straight);
  }

  /** What is right in the buffer is delivered, and only that. */
  @Test
  void aBankThatIsChangedBetweenTwoCopiesIsJudgedByTheLast() {
    banks.copied =
        (frame, from, to) -> {
          count(frame, from, to);
          boolean begins = from == 0 && straight == 0;
          boolean ends = to.equals(into) && from == HEADER + 8192;
          frame[5000] ^= (byte) (begins || ends ? 1 : 0);
        };
    send();
    assertReceived(into);
    assertEquals(3, straight);
  }

  @Test
  void aTenantThatWritesMeanwhileDoesNotEndThePath() {
    banks.copied =
        (frame, from, to) -> {
          count(frame, from, to);
          if (to.equals(into)) {
            into.set(U8, AT + from, (byte) (into.get(U8, AT + from) + 1));
          }
        };
    send();
    assertReceived(into);
    assertEquals(3, straight);
  }

  @Test
  void memoryThatIsClosedMeanwhileLeavesThePacketToTheNextCall() {
    Arena own = Arena.ofConfined();
    MemorySegment closing = own.allocate(AT + BYTES, 8);
    banks.copied =
        (frame, from, to) -> {
          if (to.equals(closing)) {
            own.close();
          }
        };
    send();
    assertEquals(-Errno.EAGAIN, receive(closing));
    assertFalse(own.scope().isAlive());
    assertReceived(into);
  }

  @Test
  void otherMemoryGetsItsPacketByTheBuffer() {
    MemorySegment other = arena.allocate(AT + BYTES, 8);
    for (int i = 0; i < 10; i++) {
      send();
      assertReceived(into);
      send();
      assertReceived(other);
    }
  }

  /** The neighbour has not greeted yet. */
  @Test
  void nothingIsPlacedBeforeTheGreeting() {
    BankPort port = (BankPort) banks.port(RingSide.NEXT).kind();
    port.disconnect("");
    for (int i = 0; i < 1000 && !prev.lane.isGreeting(); i++) {
      now += MS;
      long ignored = port.poll(now);
      ignored = prev.machine.poll(now);
    }
    assertTrue(prev.lane.isGreeting());
    assertEquals(0, port.claim());
    MemorySegment frame = arena.allocate(HEADER + BYTES, 8);
    IsleFrame.header(frame, 0, IsleFrame.DATA, 1, BYTES, 1);
    Checks.of(frame).seal(0, BYTES);
    MemorySegment.copy(frame, 0, port.bank(), 0, frame.byteSize());
    assertEquals(HEADER + BYTES, port.publish(HEADER + BYTES));
    assertEquals(-Errno.EAGAIN, receive(into));
    assertEquals(0, straight);
    assertEquals(1, prev.meter.get(LinkMeter.MALFORMED));
  }
}
