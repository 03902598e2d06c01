package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Links over datagrams in virtual time: each packet arrives once and in order. */
class DatagramMachineTest {
  private static final long MS = 1_000_000;
  private static final int WINDOW = 8;
  private static final int STEPS = 60_000;

  /** An end that numbers its packets. */
  private static final class Side {
    final LinkMeter meter = new LinkMeter();
    final IsleMachine machine;
    final Lane lane;
    final int bytes;
    final MemorySegment packet;
    long sent;
    long received;

    Side(RingSide side, int bytes, Arena arena) {
      this.bytes = bytes;
      IsleSpec spec =
          new IsleSpec(
              side,
              "ring",
              "n" + side.ordinal(),
              0,
              bytes,
              WINDOW,
              1 << 20,
              250,
              5_000 * MS,
              "udp://h:1");
      machine =
          new IsleMachine(spec, side.ordinal() + 1L, arena, () -> arena, meter, new End.Signs());
      lane = machine.open();
      packet = arena.allocate(bytes, 8);
    }

    void send(long now) {
      packet.fill((byte) (sent * 7));
      packet.set(ValueLayout.JAVA_LONG, 0, sent);
      sent += machine.send(IsleFrame.DATA, packet, 0, packet, 0, bytes, now) == 0 ? 1 : 0;
    }

    void receive(long now) {
      while (machine.receive(packet, 0, now) == bytes) {
        assertEquals(received, packet.get(ValueLayout.JAVA_LONG, 0));
        assertEquals((byte) (received * 7), packet.get(ValueLayout.JAVA_BYTE, bytes - 1L));
        received++;
      }
    }
  }

  private static final class Pair implements AutoCloseable {
    final Arena arena = Arena.ofConfined();
    final FakeDatagramLine line;
    final Side next;
    final Side prev;

    Pair(long seed, int bytes) {
      line = new FakeDatagramLine(seed);
      next = new Side(RingSide.NEXT, bytes, arena);
      prev = new Side(RingSide.PREV, bytes, arena);
      next.lane.port(line.connector, false, 0);
      prev.lane.port(line.listener, false, 0);
    }

    void step() {
      line.now += MS / 2;
      long ignored = next.machine.poll(line.now) + prev.machine.poll(line.now);
    }

    /** Lets both ends work for a while. */
    void settle(long ns) {
      long until = line.now + ns;
      while (line.now < until) {
        step();
        next.receive(line.now);
        prev.receive(line.now);
      }
    }

    /** Sends packets both ways until all have arrived. */
    void exchange(int count) {
      for (int i = 0; i < STEPS && !isDone(count); i++) {
        if (next.sent < count) {
          next.send(line.now);
        }
        if (prev.sent < count) {
          prev.send(line.now);
        }
        if (i % 2 == 0) {
          // packets are placed only in the memory of a call that finds none in the queue
          next.receive(line.now);
          prev.receive(line.now);
        }
        step();
        next.receive(line.now);
        prev.receive(line.now);
      }
      assertEquals(count, prev.received);
      assertEquals(count, next.received);
    }

    private boolean isDone(int count) {
      return prev.received == count && next.received == count;
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  @Property(tries = 60)
  void packetsArriveOnceAndInOrder(
      @ForAll @IntRange(max = 30) int loss,
      @ForAll @IntRange(max = 30) int twice,
      @ForAll @IntRange(max = 5) int jitterMs,
      @ForAll @IntRange(min = 16, max = 6000) int bytes,
      @ForAll long seed) {
    try (Pair pair = new Pair(seed, bytes)) {
      pair.line.lossPercent = loss;
      pair.line.twicePercent = twice;
      pair.line.jitterNs = jitterMs * MS;
      pair.exchange(100);
    }
  }

  @Property(tries = 30)
  void cutsLoseNothing(@ForAll long seed) {
    try (Pair pair = new Pair(seed, 3000)) {
      pair.line.lossPercent = 5;
      pair.line.jitterNs = 2 * MS;
      Random random = new Random(seed);
      for (int i = 1; i <= 5; i++) {
        pair.exchange(20 * i);
        pair.line.down = true;
        for (int steps = random.nextInt(5000); steps > 0; steps--) {
          pair.step();
        }
        pair.line.down = false;
      }
      pair.exchange(120);
    }
  }

  @Test
  void aLostTailIsAskedFor() {
    try (Pair pair = new Pair(1, 3000)) {
      pair.exchange(10);
      pair.line.down = true;
      pair.next.send(pair.line.now);
      pair.line.down = false;
      for (int i = 0; i < 2000 && pair.prev.received < 11; i++) {
        pair.step();
        pair.prev.receive(pair.line.now);
      }
      assertEquals(11, pair.prev.received);
      assertTrue(pair.next.meter.get(LinkMeter.REPAIRED) > 0);
      assertTrue(pair.next.machine.isUp() && pair.prev.machine.isUp());
    }
  }

  @Test
  void aFrameWhoseSenderPausesIsNotAskedFor() {
    try (Pair pair = new Pair(6, 6000)) {
      pair.exchange(10);
      pair.settle(20 * MS);
      pair.line.connector.stalled = 5;
      pair.next.send(pair.line.now);
      assertEquals(1, pair.line.underWay());
      pair.settle(8 * MS);
      assertEquals(10, pair.prev.received);
      pair.line.connector.stalled = 0;
      pair.exchange(11);
      assertEquals(0, pair.next.meter.get(LinkMeter.REPAIRED));
      assertEquals(0, pair.prev.meter.get(LinkMeter.DUPLICATES));
    }
  }

  @Test
  void noMorePacketsAreUnderWayThanTheKernelHolds() {
    int holds = 3;
    try (Pair pair = new Pair(4, 3000)) {
      pair.line.receiveBuffer = holds * (IsleFrame.HEADER_BYTES + 3000) + 3000;
      pair.exchange(10);
      for (int i = 0; i < 100; i++) {
        pair.next.send(pair.line.now);
      }
      assertEquals(10 + holds, pair.next.sent);
      pair.exchange(100);
      assertEquals(0, pair.next.meter.get(LinkMeter.REPAIRED));
    }
  }

  @Test
  void aBufferBelowAPacketStillTakesOneAtATime() {
    try (Pair pair = new Pair(5, 6000)) {
      pair.line.receiveBuffer = 1000;
      pair.exchange(50);
    }
  }

  @Test
  void datagramsOfStrangersAreCountedAndIgnored() {
    try (Pair pair = new Pair(2, 3000)) {
      pair.exchange(10);
      Random random = new Random(3);
      for (int i = 0; i < 1000; i++) {
        byte[] bytes = new byte[1 + random.nextInt(1500)];
        random.nextBytes(bytes);
        if (i % 2 == 0 && bytes.length > 12) {
          bytes[0] = 0x49;
          bytes[1] = 0x53;
          bytes[2] = 0x4C;
          bytes[3] = 0x45;
          bytes[10] = 0;
          bytes[11] = 1;
        }
        pair.line.inject(bytes);
      }
      pair.exchange(20);
      assertTrue(
          pair.prev.meter.get(LinkMeter.WRONG_MAGIC) + pair.prev.meter.get(LinkMeter.MALFORMED)
              >= 1000);
    }
  }
}
