package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Frames of one chunk that pass, against the same datagrams without the short way. */
class PassedFramesTest {
  private static final int BYTES = 16;
  private static final long MS = 1_000_000;

  private final MemorySegment datagram = MemorySegment.ofArray(new byte[ChunkHeader.BYTES + 32]);
  private final MemorySegment packet = MemorySegment.ofArray(new byte[BYTES]);

  private static Reassembly reassembly(Arena arena) {
    return new Reassembly(ReassemblyRules.leap(BYTES, 64 * BYTES, 1000 * MS), arena);
  }

  private void write(int sequence, int chunk, int total, long content) {
    ChunkHeader.write(datagram, 0, ChunkHeader.LEAP, sequence, chunk, total, 0);
    datagram.set(ValueLayout.JAVA_LONG_UNALIGNED, ChunkHeader.BYTES, content);
  }

  /** The packets and losses that are next, as text. */
  private void take(Reassembly from, long now, List<String> taken) {
    for (int next = from.poll(now); next != Reassembly.NOTHING; next = from.poll(now)) {
      if (next == Reassembly.FRAME) {
        int ignored = from.deliver(packet, 0);
        taken.add("packet " + packet.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
      } else {
        taken.add("lost " + from.sequence());
        from.skip();
      }
    }
  }

  @Property(tries = 300)
  void theResultIsThatOfTheLongWay(
      @ForAll long seed,
      @ForAll @IntRange(max = 20) int lost,
      @ForAll @IntRange(max = 20) int odd) {
    Random random = new Random(seed);
    try (Arena arena = Arena.ofConfined()) {
      Reassembly shortWay = reassembly(arena);
      Reassembly longWay = reassembly(arena);
      List<String> passed = new ArrayList<>();
      List<String> accepted = new ArrayList<>();
      int sequence = ChunkHeader.FIRST_SEQUENCE;
      long now = 0;
      for (int i = 0; i < 400; i++) {
        now += random.nextInt(100) == 0 ? 2000 * MS : random.nextLong(3 * MS);
        sequence = Sequence.plus(sequence, random.nextInt(100) < lost ? 2 : 1);
        int length = ChunkHeader.BYTES + BYTES;
        write(sequence, 0, 1, i);
        if (random.nextInt(100) < odd) {
          switch (random.nextInt(5)) {
            case 0 -> write(Sequence.plus(sequence, random.nextInt(9) - 4), 0, 1, i);
            case 1 -> write(random.nextInt(1 << 16), 0, 1, i);
            case 2 -> write(sequence, random.nextInt(3), random.nextInt(3), i);
            case 3 -> length = random.nextInt(ChunkHeader.BYTES + 32);
            default -> {
              longWay.restart();
              shortWay.restart();
            }
          }
        }
        take(shortWay, now, passed);
        if (shortWay.pass(datagram, 0, length, packet, 0, now) > 0) {
          passed.add("packet " + packet.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        } else {
          assertTrue(shortWay.accept(datagram, 0, length, now) != null);
        }
        take(shortWay, now, passed);
        take(longWay, now, accepted);
        assertTrue(longWay.accept(datagram, 0, length, now) != null);
        take(longWay, now, accepted);
      }
      assertEquals(accepted, passed);
      assertEquals(longWay.counters().frames(), shortWay.counters().frames());
      assertEquals(longWay.counters().lost(), shortWay.counters().lost());
      for (Arrival arrival : Arrival.values()) {
        assertEquals(longWay.counters().of(arrival), shortWay.counters().of(arrival), "" + arrival);
      }
    }
  }

  @Test
  void closedMemoryChangesNothing() {
    try (Arena arena = Arena.ofConfined()) {
      Reassembly reassembly = reassembly(arena);
      write(ChunkHeader.FIRST_SEQUENCE, 0, 1, 5);
      int length = ChunkHeader.BYTES + BYTES;
      assertEquals(0, reassembly.pass(datagram, 0, length, packet, 0, MS), "no peer is known");
      assertEquals(Arrival.COMPLETED, reassembly.accept(datagram, 0, length, MS));
      List<String> taken = new ArrayList<>();
      take(reassembly, MS, taken);
      write(ChunkHeader.FIRST_SEQUENCE + 1, 0, 1, 6);
      Arena closed = Arena.ofConfined();
      MemorySegment to = closed.allocate(BYTES);
      closed.close();
      assertThrows(
          IllegalStateException.class, () -> reassembly.pass(datagram, 0, length, to, 0, MS));
      assertEquals(BYTES, reassembly.pass(datagram, 0, length, packet, 0, MS));
      assertEquals(6, packet.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
      assertEquals(List.of("packet 5"), taken);
    }
  }
}
