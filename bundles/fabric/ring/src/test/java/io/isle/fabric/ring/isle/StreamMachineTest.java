package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Both ends of a link over a stream that breaks, in virtual time. */
class StreamMachineTest {
  private static final long MS = 1_000_000;
  private static final int STEPS = 20_000;

  private final Arena arena = Arena.ofConfined();
  private long now = 1;
  private FakeLine line = new FakeLine(1);
  private End next = new End(RingSide.NEXT, 11, arena);
  private End prev = new End(RingSide.PREV, 22, arena);

  @AfterEach
  void close() {
    arena.close();
  }

  private void connect() {
    next.lane.port(line.connector, false, now);
    prev.lane.port(line.listener, false, now);
  }

  private void step() {
    now += MS;
    long ignored = next.machine.poll(now);
    ignored = prev.machine.poll(now);
  }

  private void untilUp() {
    for (int i = 0; i < STEPS && !(next.machine.isUp() && prev.machine.isUp()); i++) {
      step();
    }
    assertTrue(next.machine.isUp() && prev.machine.isUp());
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      step();
    }
  }

  /** Something that happens to the link. */
  enum Act {
    SEND,
    SEND_BACK,
    RECEIVE,
    RECEIVE_BACK,
    STEP,
    LONG_STEP,
    CUT,
    CORRUPT,
    PARK
  }

  @Property(tries = 300)
  void eachPacketArrivesOnceAndInOrder(@ForAll @Size(max = 300) List<Act> acts, @ForAll long seed) {
    try (Arena own = Arena.ofConfined()) {
      line = new FakeLine(seed);
      next = new End(RingSide.NEXT, 11, own);
      prev = new End(RingSide.PREV, 22, own);
      now = 1;
      connect();
      acts.forEach(this::act);
      for (int i = 0; i < STEPS && !isDone(); i++) {
        step();
        prev.receive(now);
        next.receive(now);
      }
      assertEquals(next.sent, prev.received);
      assertEquals(prev.sent, next.received);
      assertEquals(0, next.meter.get(LinkMeter.LOST) + prev.meter.get(LinkMeter.LOST));
    }
  }

  private boolean isDone() {
    return next.sent == prev.received && prev.sent == next.received;
  }

  private void act(Act act) {
    boolean ignored = false;
    switch (act) {
      case SEND -> ignored = next.send(now);
      case SEND_BACK -> ignored = prev.send(now);
      case RECEIVE -> ignored = prev.receive(now);
      case RECEIVE_BACK -> ignored = next.receive(now);
      case STEP -> step();
      case LONG_STEP -> steps(100);
      case CUT -> line.cut();
      case CORRUPT -> ignored = line.corrupt();
      case PARK -> {
        next.lane.port(null, true, now);
        step();
        next.lane.port(line.connector, true, now);
      }
    }
    assertTrue(next.machine.window().next() - next.machine.window().first() <= End.WINDOW);
  }

  @Test
  void packetsThatNobodyReceivesDoNotHoldUpTheOtherDirection() {
    connect();
    untilUp();
    while (prev.send(now)) {
      step();
    }
    steps(50);
    assertFalse(prev.send(now), "the window is full, because the packets wait at the next end");
    for (int i = 0; i < 1000; i++) {
      if (i % 100 == 50) {
        line.cut();
        untilUp();
      }
      for (int j = 0; j < STEPS && !next.send(now); j++) {
        step();
      }
      for (int j = 0; j < STEPS && !prev.receive(now); j++) {
        step();
      }
    }
    for (int j = 0; j < STEPS && prev.received < 1000; j++) {
      boolean ignored = prev.receive(now);
      step();
    }
    assertEquals(1000, prev.received);
    for (int i = 0; i < End.WINDOW; i++) {
      assertTrue(next.receive(now));
    }
  }

  @Test
  void aSendIsTakenBeforeTheFirstPathIsUp() {
    for (int i = 0; i < End.WINDOW; i++) {
      assertTrue(next.send(now));
    }
    assertFalse(next.send(now));
    connect();
    for (int i = 0; i < STEPS && prev.received < End.WINDOW; i++) {
      step();
      prev.receive(now);
    }
    assertEquals(End.WINDOW, prev.received);
  }

  @Test
  void aFrameLeavesBeforeTheLookAtAcknowledgements() {
    line.whole = true;
    connect();
    untilUp();
    for (int i = 0; i < End.WINDOW / 2; i++) {
      assertTrue(next.send(now));
    }
    for (int i = 0; i < End.WINDOW / 2; i++) {
      assertTrue(prev.receive(now));
    }
    step();
    line.connector.reads = 0;
    // the acknowledgement lies unread behind the poll of the neighbour
    for (int i = 0; i < End.WINDOW / 2; i++) {
      assertTrue(next.send(now));
    }
    assertEquals(0, line.connector.reads, "frames that stay in the cache need no look");
    assertTrue(prev.receive(now));
    assertTrue(next.send(now));
    assertEquals(0, line.connector.readsBeforeWrite, "the frame has left first");
    assertTrue(line.connector.reads > 0, "the look comes behind it");
  }

  @Test
  void aRestartedNeighbourBeginsAnewAndTheLossIsCounted() {
    connect();
    untilUp();
    assertTrue(next.send(now));
    steps(10);
    assertTrue(prev.receive(now));
    steps(10);
    line.stalled = true;
    for (int i = 0; i < 3; i++) {
      assertTrue(next.send(now));
    }
    line.cut();
    prev = new End(RingSide.PREV, 33, arena);
    line.stalled = false;
    prev.lane.port(line.listener, false, now);
    line.listener.disconnect("");
    untilUp();
    assertEquals(3, next.meter.get(LinkMeter.LOST));
    assertEquals(2, next.machine.loss().orElseThrow().number());
    assertEquals(1, next.signs.restarts);
    prev.received = next.sent;
    prev.sent = next.received;
    assertTrue(next.send(now));
    assertTrue(prev.send(now));
    steps(10);
    assertTrue(prev.receive(now));
    assertTrue(next.receive(now));
  }

  @Test
  void packetsThatWaitForAPathGoToARestartedNeighbour() {
    connect();
    untilUp();
    assertTrue(next.send(now));
    steps(10);
    assertTrue(prev.receive(now));
    steps(10);
    line.down(true);
    steps(10);
    for (int i = 0; i < End.WINDOW; i++) {
      assertTrue(next.send(now));
    }
    prev = new End(RingSide.PREV, 33, arena);
    prev.received = 1;
    line.down(false);
    prev.lane.port(line.listener, false, now);
    untilUp();
    for (int i = 0; i < STEPS && prev.received < next.sent; i++) {
      step();
      prev.receive(now);
    }
    assertEquals(1L + End.WINDOW, prev.received);
    assertEquals(1, next.signs.restarts);
    assertEquals(0, next.meter.get(LinkMeter.LOST));
    assertTrue(next.machine.loss().isEmpty());
  }

  @Test
  void aSilentNeighbourIsFoundByItsHeartbeats() {
    connect();
    untilUp();
    steps(600);
    assertEquals(0, next.signs.lost);
    line.stalled = true;
    steps(1200);
    assertEquals(1, next.signs.lost);
    assertTrue(next.signs.silent);
    assertTrue(next.signs.reason.startsWith("the next node was silent for 1"), next.signs.reason);
  }

  @Test
  void aWorkerSendsItsHeartbeatsAlongWithThoseOfTheMaster() {
    prev = new End(End.spec(RingSide.PREV, "worker", 1), 22, arena);
    connect();
    untilUp();
    long begin = now;
    long nextNs = next.machine.poll(now);
    long prevNs = prev.machine.poll(now);
    int wakes = 0;
    while (now - begin < 10_000 * MS) {
      assertTrue(nextNs < prevNs, "the worker wakes for bytes alone");
      now = Math.max(now + 1, nextNs);
      nextNs = next.machine.poll(now);
      prevNs = prev.machine.poll(now);
      nextNs = Math.min(nextNs, next.machine.poll(now));
      wakes++;
    }
    assertEquals(43, wakes, 1, "one each 234 ms");
    assertEquals(0, next.signs.lost + prev.signs.lost);
  }

  @Test
  void aSilentNeighbourIsFoundIfOnlyTheOwnHeartbeatsBringALook() {
    connect();
    untilUp();
    line.stalled = true;
    long begin = now;
    long due = next.machine.poll(now);
    while (next.signs.lost == 0 && now - begin < 10_000 * MS) {
      now = Math.max(now, due) + MS;
      due = next.machine.poll(now);
    }
    assertTrue(now - begin <= 1300 * MS, (now - begin) / MS + " ms");
    assertTrue(next.signs.silent);
  }

  @Test
  void aPauseOfThisNodeIsNoSilenceOfTheOther() {
    connect();
    untilUp();
    now += 5000 * MS;
    steps(10);
    assertEquals(0, next.signs.lost + prev.signs.lost);
  }

  @Test
  void garbageEndsThePathAndTheRealNeighbourGoesOn() {
    connect();
    untilUp();
    line.cut();
    line.inject("GET / HTTP/1.0\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    steps(1);
    line.inject(new byte[100]);
    untilUp();
    assertTrue(next.send(now));
    steps(5);
    assertTrue(prev.receive(now));
  }

  @Test
  void theWrongDialectIsNamedByTheFirstBytes() {
    prev.lane.port(line.listener, false, now);
    for (int i = 0; i < 100; i++) {
      now += MS;
      long ignored = line.connector.poll(now);
    }
    line.inject(new byte[40]);
    long ignored = prev.machine.poll(now);
    assertEquals(
        "the previous node does not speak dialect isle: set prev.dialect = leap on this node, or"
            + " next.dialect = isle on the previous node",
        prev.lane.reason());
    assertEquals(1, prev.meter.get(LinkMeter.MALFORMED));
  }

  @Test
  void theWrongDialectIsNamedAfterTwoSecondsOfSilence() {
    next.lane.port(line.connector, false, now);
    for (int i = 0; i < 2100; i++) {
      now += MS;
      long ignored = next.machine.poll(now);
    }
    assertTrue(
        next.lane.reason().contains("next.dialect = leap on this node, or prev.dialect = isle"),
        next.lane.reason());
  }

  @Test
  void aGreetingOfAnotherRingIsRefusedWithBothValues() {
    IsleSpec spec = End.spec(RingSide.PREV, "b");
    prev =
        new End(
            new IsleSpec(
                spec.side(), "other", "b", 0, End.BYTES, 8, 1 << 20, 250, spec.stallNs(), ""),
            22,
            arena);
    connect();
    steps(200);
    assertEquals(
        "refused the previous node: ring: ours is other, the peer's is ring", prev.lane.reason());
    assertEquals(
        "the next node refuses: ring: ours is other, the peer's is ring", next.lane.reason());
    assertFalse(next.machine.isUp() || prev.machine.isUp());
  }

  @Test
  void aControlMessageIsOneAndDataThatLooksLikeOneIsNot() {
    int bytes = 200;
    IsleSpec a = new IsleSpec(RingSide.NEXT, "r", "a", 0, bytes, 8, 1 << 20, 250, 1, "");
    IsleSpec b = new IsleSpec(RingSide.PREV, "r", "b", 0, bytes, 8, 1 << 20, 250, 1, "");
    next = new End(a, 1, arena);
    prev = new End(b, 2, arena);
    connect();
    untilUp();
    MemorySegment packet = arena.allocate(bytes, 8);
    packet.fill((byte) 7);
    assertEquals(
        0, next.machine.send(IsleFrame.CONTROL, packet, 0, packet, 0, Control.MESSAGE_BYTES, now));
    assertEquals(0, next.machine.send(IsleFrame.DATA, packet, 0, packet, 0, bytes, now));
    steps(5);
    MemorySegment into = arena.allocate(bytes, 8);
    assertEquals(bytes, prev.machine.receive(into, 0, now));
    assertTrue(prev.machine.isControl());
    assertEquals(bytes, prev.machine.receive(into, 0, now));
    assertFalse(prev.machine.isControl());
    assertEquals(-1, into.mismatch(packet));
  }

  @Test
  void roundTripsAreMeasured() {
    connect();
    untilUp();
    assertTrue(next.send(now));
    steps(600);
    long p50 = next.machine.hop().percentile(50);
    assertTrue(p50 > 0 && p50 < 20 * MS, p50 + " ns");
  }

  @AfterProperty
  void end() {
    now = 1;
  }

  @Test
  void aNeighbourThatIsStuckIsNamedWithItsPacket() {
    connect();
    untilUp();
    next.signs.work = 17;
    next.signs.workNs = 4999 * MS;
    steps(600);
    assertEquals("", prev.machine.stuck());
    next.signs.workNs = 5000 * MS;
    steps(600);
    assertTrue(
        prev.machine.stuck().startsWith("n1 has worked on packet 17 for 5000 ms"),
        prev.machine.stuck());
    next.signs.work = 0;
    steps(600);
    assertEquals("", prev.machine.stuck());
  }
}
