package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A link without packets, whose heartbeats alone are no events. In virtual time. */
class RestTest {
  private static final long MS = 1_000_000;
  private static final int BYTES = 200;
  private static final int BEAT = IsleFrame.HEADER_BYTES + Heartbeat.BYTES;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final FakeLine line = new FakeLine(1);
  private long now = 1;
  private End next = new End(spec(RingSide.NEXT, BYTES, 250), 11, arena);
  private End prev = new End(spec(RingSide.PREV, BYTES, 250), 22, arena);

  private static IsleSpec spec(RingSide side, int packetBytes, int heartbeatMs) {
    String node = "n" + side.ordinal();
    return new IsleSpec(
        side, "r", node, 1, packetBytes, 8, 1 << 20, heartbeatMs, 5_000_000_000L, "");
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      now += MS;
      long ignored = next.machine.poll(now);
      ignored = prev.machine.poll(now);
    }
  }

  private void connect() {
    next.lane.port(line.connector, false, now);
    prev.lane.port(line.listener, false, now);
    steps(200);
    assertTrue(next.machine.isUp() && prev.machine.isUp());
  }

  private void send() {
    assertEquals(0, next.machine.send(IsleFrame.DATA, packet, 0, packet, 0, BYTES, now));
  }

  @Test
  void moreBytesThanThoseOfAHeartbeatAreAnEvent() {
    assertFalse(next.machine.rest(), "no path is up");
    connect();
    assertTrue(next.machine.rest());
    assertEquals(BEAT + 1, line.connector.readable);
    assertEquals(1, line.listener.readable);
    next.machine.attend();
    assertEquals(1, line.connector.readable);
  }

  @Test
  void anotherPathBeginsWithEachByteAsAnEvent() {
    connect();
    assertTrue(next.machine.rest());
    line.cut();
    steps(200);
    assertTrue(next.machine.isUp());
    assertEquals(1, line.connector.readable);
    assertTrue(next.machine.rest());
    assertEquals(BEAT + 1, line.connector.readable);
  }

  @Test
  void whileAFrameWaitsForItsAcknowledgementEachByteIsAnEvent() {
    connect();
    send();
    assertFalse(next.machine.rest());
    steps(60);
    assertTrue(next.machine.rest());
  }

  @Test
  void theRestOfAFrameIsAnEvent() {
    connect();
    assertTrue(prev.machine.rest());
    line.inject(new byte[3]);
    now += MS;
    long ignored = prev.machine.poll(now);
    assertFalse(prev.machine.rest());
  }

  @Test
  void packetsAsShortAsHeartbeatsAreEvents() {
    next = new End(spec(RingSide.NEXT, Heartbeat.BYTES, 250), 11, arena);
    prev = new End(spec(RingSide.PREV, Heartbeat.BYTES, 250), 22, arena);
    connect();
    assertFalse(next.machine.rest());
    assertEquals(1, line.connector.readable);
  }

  @Test
  void heartbeatsThatComeMoreOftenThanTheOwnOnesAreEvents() {
    next = new End(spec(RingSide.NEXT, BYTES, 1000), 11, arena);
    connect();
    assertFalse(next.machine.rest());
    assertTrue(prev.machine.rest());
  }

  @Test
  void aRollCallWithoutEntriesHasAHeartbeatWithIt() {
    connect();
    line.stalled = true;
    assertEquals(0, line.underWay());
    next.machine.post(IsleFrame.ROLL_CALL, new byte[RollCall.HEADER_BYTES], now);
    for (int i = 0; i < 500; i++) {
      long ignored = next.machine.poll(now);
    }
    assertEquals(BEAT + IsleFrame.HEADER_BYTES + RollCall.HEADER_BYTES, line.underWay());
  }

  /** Whichever of two links of a node is due first, the other one joins. */
  @Test
  void heartbeatsJoinThoseOfAnotherLinkUpToHalfOfTheirTimeEarly() {
    line.whole = true;
    connect();
    assertTrue(next.machine.rest());
    assertEquals(BEAT, sentAfter(250));
    assertEquals(0, sentAfter(124));
    assertEquals(BEAT, sentAfter(1));
    next.machine.attend();
    assertEquals(0, sentAfter(187));
    assertEquals(BEAT, sentAfter(1));
  }

  private long sentAfter(long ms) {
    long before = line.underWay();
    now += ms * MS;
    long ignored = next.machine.poll(now);
    return line.underWay() - before;
  }

  @Test
  void oneReadTakesTheHeartbeatsThatWaited() {
    line.whole = true;
    connect();
    assertTrue(next.machine.rest());
    assertEquals(1, readsOfTwoHeartbeats());
    next.machine.attend();
    assertEquals(2, readsOfTwoHeartbeats(), "one finds nothing");
  }

  private int readsOfTwoHeartbeats() {
    while (line.underWay() < 2L * BEAT) {
      now += MS;
      long ignored = prev.machine.poll(now);
    }
    int before = line.connector.reads;
    long ignored = next.machine.poll(now);
    int reads = line.connector.reads - before;
    ignored = prev.machine.poll(now);
    assertEquals(0, line.underWay());
    return reads;
  }

  @Test
  void heartbeatsThatWaitedTellNothingAboutTimes() {
    connect();
    send();
    steps(60);
    assertTrue(next.machine.rest());
    lookSeldom();
    assertTrue(next.machine.hop().percentile(99) < 40 * MS);
    next.machine.attend();
    lookSeldom();
    assertTrue(next.machine.hop().percentile(99) > 40 * MS);
  }

  private void lookSeldom() {
    for (int i = 0; i < 2400; i++) {
      now += MS;
      long ignored = prev.machine.poll(now);
      if (i % 240 == 239) {
        ignored = next.machine.poll(now);
      }
    }
  }

  @Test
  void aLinkRestsASecondAfterItsLastCall() {
    LanePorts ports = new LanePorts(next.machine, next.meter, true);
    try (IsleDrive drive = new IsleDrive(next.machine, ports, 0, () -> {})) {
      connect();
      drive.used(now);
      tend(drive, 900);
      assertEquals(1, line.connector.readable);
      tend(drive, 200);
      assertEquals(BEAT + 1, line.connector.readable);
      drive.due();
      assertEquals(1, line.connector.readable);
      tend(drive, 1);
      assertEquals(BEAT + 1, line.connector.readable);
      drive.used(now);
      assertEquals(1, line.connector.readable);
      tend(drive, 900);
      assertEquals(1, line.connector.readable);
    }
  }

  @Test
  void theDescriptorsOfALinkAtRestStayUntilTheEndOfItsPath() {
    LanePorts ports = new LanePorts(next.machine, next.meter, true);
    try (IsleDrive drive = new IsleDrive(next.machine, ports, 0, () -> {})) {
      assertEquals(0, drive.settled());
      connect();
      long first = untilSettled(drive);
      tend(drive, 300);
      assertEquals(first, untilSettled(drive));
      line.cut();
      tend(drive, 1);
      assertEquals(0, drive.settled());
      assertNotEquals(first, untilSettled(drive));
    }
  }

  private long untilSettled(IsleDrive drive) {
    for (int i = 0; i < 1000 && drive.settled() == 0; i++) {
      tend(drive, 1);
    }
    assertNotEquals(0, drive.settled());
    return drive.settled();
  }

  private void tend(IsleDrive drive, int times) {
    for (int i = 0; i < times; i++) {
      now += MS;
      long ignored = drive.tend(now, (descriptor, events) -> {});
      ignored = prev.machine.poll(now);
    }
  }
}
