package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Frames of dialect leap over a network that loses, repeats, reorders and adds garbage. */
class ReassemblyPropertyTest {
  private static final long MS = 1_000_000;
  private static final long TIMEOUT_NS = 1000 * MS;

  private record Datagram(int frame, int chunk) {}

  private final byte[] wire = new byte[ChunkHeader.DATAGRAM_BYTES + 8];
  private final MemorySegment datagram = MemorySegment.ofArray(wire);

  private static byte content(int frame, long offset) {
    return (byte) (frame * 31 + offset * 7 + (offset >>> 8));
  }

  /** Writes a chunk to the wire; its length. */
  private int write(int frame, int chunk, int frameBytes) {
    int length = Chunks.length(frameBytes, chunk);
    ChunkHeader.write(
        datagram,
        0,
        ChunkHeader.LEAP,
        Sequence.plus(ChunkHeader.FIRST_SEQUENCE, frame),
        chunk,
        Chunks.count(frameBytes),
        frame);
    for (int i = 0; i < length; i++) {
      wire[ChunkHeader.BYTES + i] = content(frame, Chunks.offset(chunk) + (long) i);
    }
    return ChunkHeader.BYTES + length;
  }

  /** Takes what is next; each frame once, in order, whole or lost. Returns the next number. */
  private static int take(Reassembly reassembly, int next, long now, boolean[] whole) {
    int at = next;
    while (true) {
      switch (reassembly.poll(now)) {
        case Reassembly.FRAME -> {
          assertEquals(Sequence.plus(ChunkHeader.FIRST_SEQUENCE, at), reassembly.sequence());
          MemorySegment frame = reassembly.frame();
          for (int i = 0; i < reassembly.frameBytes(); i++) {
            assertEquals(content(at, i), frame.get(ValueLayout.JAVA_BYTE, i), "frame " + at);
          }
          whole[at++] = true;
          reassembly.release();
        }
        case Reassembly.LOST -> {
          assertEquals(Sequence.plus(ChunkHeader.FIRST_SEQUENCE, at), reassembly.sequence());
          int total = reassembly.lostTotal();
          assertTrue(total == 0 ? reassembly.lostChunks() == 0 : reassembly.lostChunks() < total);
          at++;
          reassembly.skip();
        }
        default -> {
          return at;
        }
      }
    }
  }

  /** The first frame that counts: an arrival a window or more ahead begins the numbers itself. */
  private static int firstNumber(List<Datagram> sent, int window) {
    return sent.isEmpty() || sent.getFirst().frame < window ? 0 : sent.getFirst().frame;
  }

  @Property(tries = 300)
  void eachFrameComesOnceInOrderOrIsReportedAsLost(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 9000) int frameBytes,
      @ForAll @IntRange(max = 30) int lossPercent,
      @ForAll @IntRange(max = 40) int spread) {
    int frames = 200;
    int chunks = Chunks.count(frameBytes);
    List<Datagram> sent = new ArrayList<>();
    boolean[] complete = new boolean[frames];
    for (int frame = 0; frame < frames; frame++) {
      complete[frame] = true;
      for (int chunk = 0; chunk < chunks; chunk++) {
        if (random.nextInt(100) < lossPercent) {
          complete[frame] = false;
        } else {
          int copies = random.nextInt(20) == 0 ? 2 : 1;
          sent.addAll(Collections.nCopies(copies, new Datagram(frame, chunk)));
        }
      }
    }
    for (int i = 0; i + spread < sent.size() && spread > 0; i++) {
      Collections.swap(sent, i, i + random.nextInt(spread));
    }
    try (Arena arena = Arena.ofConfined()) {
      long memory = 64L * frameBytes;
      Reassembly reassembly =
          new Reassembly(ReassemblyRules.leap(frameBytes, memory, TIMEOUT_NS), arena);
      boolean[] whole = new boolean[frames];
      int first = firstNumber(sent, reassembly.window());
      int next = first;
      int last = first - 1;
      long now = 1;
      for (Datagram one : sent) {
        // all within the time in which numbers that come again are late ones
        now += random.nextInt((int) (50 * MS / sent.size()) + 1);
        Arrival arrival =
            reassembly.accept(datagram, 0, write(one.frame, one.chunk, frameBytes), now);
        assertTrue(arrival.isValid());
        last = arrival == Arrival.OVERFLOW ? last : Math.max(last, one.frame);
        if (random.nextInt(10) == 0) {
          assertTrue(reassembly.accept(datagram, 0, 5, now) == Arrival.WRONG_MAGIC);
        }
        if (random.nextInt(3) == 0) {
          next = take(reassembly, next, now, whole);
        }
      }
      next = take(reassembly, next, now, whole);
      next = take(reassembly, next, now + TIMEOUT_NS, whole);
      next = take(reassembly, next, now + 2 * TIMEOUT_NS, whole);
      assertEquals(last + 1, next, "each frame up to the newest one that is known of");
      ReassemblyCounters counters = reassembly.counters();
      long counted = 0;
      for (Arrival kind :
          List.of(
              Arrival.ACCEPTED,
              Arrival.COMPLETED,
              Arrival.DUPLICATE,
              Arrival.STALE,
              Arrival.OVERFLOW)) {
        counted += counters.of(kind);
      }
      assertEquals(sent.size(), counted);
      long delivered = 0;
      for (int frame = first; frame <= last; frame++) {
        delivered += whole[frame] ? 1 : 0;
        assertTrue(complete[frame] || !whole[frame], "nothing is made up");
        if (spread == 0 && counters.of(Arrival.OVERFLOW) == 0) {
          assertEquals(complete[frame], whole[frame], "frame " + frame);
        }
      }
      assertEquals(last + 1 - first - delivered, counters.lost());
      assertEquals(0, counters.restarts());
    }
  }

  /** A restarted peer begins again with the first number; its frames come, none comes twice. */
  @Property(tries = 200)
  void aRestartedPeerIsFollowed(
      @ForAll @IntRange(min = 1, max = 3000) int before,
      @ForAll @IntRange(min = 300, max = 5000) int pauseMs,
      @ForAll @IntRange(max = 1) int half) {
    int bytes = 1500;
    try (Arena arena = Arena.ofConfined()) {
      Reassembly reassembly =
          new Reassembly(ReassemblyRules.leap(bytes, 64L * bytes, TIMEOUT_NS), arena);
      long now = 1;
      for (int frame = 0; frame < before; frame++) {
        now += MS;
        reassembly.accept(datagram, 0, write(frame, 0, bytes), now);
        reassembly.accept(datagram, 0, write(frame, 1, bytes), now);
        assertEquals(Reassembly.FRAME, reassembly.poll(now));
        reassembly.release();
      }
      if (half == 1) {
        reassembly.accept(datagram, 0, write(before, 0, bytes), now);
      }
      now += pauseMs * MS;
      for (int frame = 0; frame < 10; frame++) {
        reassembly.accept(datagram, 0, write(frame, 0, bytes), now);
        reassembly.accept(datagram, 0, write(frame, 1, bytes), now);
        if (reassembly.poll(now) == Reassembly.LOST) {
          assertTrue(half == 1 && frame == 0);
          reassembly.skip();
        }
        assertEquals(Reassembly.FRAME, reassembly.poll(now), "frame " + frame);
        assertEquals(Sequence.plus(ChunkHeader.FIRST_SEQUENCE, frame), reassembly.sequence());
        reassembly.release();
      }
      assertEquals(half, reassembly.counters().lost());
      assertEquals(1, reassembly.counters().restarts());
    }
  }

  /** Any bytes at all: no exception, bounded memory, and nothing but losses comes out. */
  @Property(tries = 300)
  void garbageIsCountedByKind(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 9000) int frameBytes) {
    try (Arena arena = Arena.ofConfined()) {
      Reassembly reassembly =
          new Reassembly(ReassemblyRules.leap(frameBytes, 3L * frameBytes, TIMEOUT_NS), arena);
      assertEquals(3, reassembly.window());
      int total = Chunks.count(frameBytes);
      for (int i = 0; i < 200; i++) {
        int length = write(random.nextInt(1 << 16), random.nextInt(total), frameBytes);
        switch (random.nextInt(4)) {
          case 0 -> {
            wire[random.nextInt(4)] ^= 0x20;
            assertEquals(Arrival.WRONG_MAGIC, reassembly.accept(datagram, 0, length, i));
          }
          case 1 -> {
            datagram.set(ValueLayout.JAVA_BYTE, 8, (byte) (wire[8] + 1 + random.nextInt(9)));
            assertEquals(Arrival.WRONG_TOTAL, reassembly.accept(datagram, 0, length, i));
          }
          case 2 -> {
            assertEquals(Arrival.WRONG_LENGTH, reassembly.accept(datagram, 0, length + 1, i));
          }
          default -> {
            random.nextBytes(wire);
            assertTrue(
                reassembly.accept(datagram, 0, random.nextInt(wire.length), i)
                    == Arrival.WRONG_MAGIC);
          }
        }
        assertEquals(Reassembly.NOTHING, reassembly.poll(i));
      }
      assertEquals(0, reassembly.counters().frames());
    }
  }
}
