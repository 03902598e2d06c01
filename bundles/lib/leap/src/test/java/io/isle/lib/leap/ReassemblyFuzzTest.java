package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any datagrams at any time, in both dialects: no exception, bounded memory, each datagram counted
 * once, and nothing in a frame that no datagram of its number had.
 *
 * <p>An input is a script. Each step has eight bytes: what happens, then its numbers.
 */
class ReassemblyFuzzTest {
  private static final int STEP_BYTES = 8;
  private static final int FRAME_BYTES = 3000;
  private static final int FRAMES = 6;
  private static final long MS = 1_000_000;

  private final byte[] wire = new byte[ChunkHeader.DATAGRAM_BYTES + 8];
  private final MemorySegment datagram = MemorySegment.ofArray(wire);

  /** Frames in order, repeated ones, garbage, and a peer that starts again. */
  static Stream<byte[]> seeds() {
    ByteBuffer order = ByteBuffer.allocate(STEP_BYTES * 40);
    for (int frame = 0; order.hasRemaining(); frame++) {
      for (int chunk = 0; chunk < 3; chunk++) {
        order.put((byte) 0).put((byte) 1).putShort((short) (0x8001 + frame)).put((byte) chunk);
        order.put((byte) 3).putShort((short) 0);
      }
      order.put((byte) 2).put((byte) 0).putShort((short) 0).putInt(0);
    }
    byte[] any = new byte[STEP_BYTES * 60];
    new Random(1).nextBytes(any);
    byte[] isle = order.array().clone();
    isle[0] |= 4;
    return Stream.of(order.array(), isle, any);
  }

  @MethodSource("seeds")
  @FuzzTest
  void framesHaveTheBytesOfTheirChunks(byte[] script) {
    ByteBuffer steps = ByteBuffer.wrap(script);
    boolean isle = script.length > 0 && (script[0] & 4) != 0;
    ReassemblyRules rules =
        isle
            ? ReassemblyRules.isle(FRAME_BYTES, FRAMES * FRAME_BYTES)
            : ReassemblyRules.leap(FRAME_BYTES, FRAMES * FRAME_BYTES, 100 * MS);
    try (Arena arena = Arena.ofConfined()) {
      Reassembly reassembly = new Reassembly(rules, arena);
      assertEquals(FRAMES, reassembly.window());
      long datagrams = 0;
      long now = 1;
      while (steps.remaining() >= STEP_BYTES) {
        int what = steps.get();
        now += (steps.get() & 0xFF) * MS / 4;
        if ((what & 3) == 2) {
          steps.position(steps.position() + STEP_BYTES - 2);
          take(reassembly, now);
        } else {
          int length = write(steps, (what & 3) == 3, rules.magic());
          Arrival arrival = reassembly.accept(datagram, 0, length, now);
          assertTrue(!arrival.isValid() || reassembly.isValid(datagram, 0, length));
          datagrams++;
        }
        assertTrue(reassembly.progress().known() <= Reassembly.NEAR + Reassembly.WINDOW);
      }
      take(reassembly, now);
      assertEquals(datagrams, counted(reassembly.counters()));
    }
  }

  /** Writes a chunk, or garbage; its length. */
  private int write(ByteBuffer from, boolean garbage, int magic) {
    int sequence = from.getShort() & 0xFFFF;
    int chunk = from.get() & 0xFF;
    int total = from.get() & 0xFF;
    int extra = from.getShort();
    int length = ChunkHeader.BYTES + Math.max(0, Chunks.length(FRAME_BYTES, Math.min(chunk, 2)));
    ChunkHeader.write(datagram, 0, magic, sequence, chunk, total, 0);
    if (garbage) {
      wire[Math.floorMod(extra, ChunkHeader.BYTES)] ^= (byte) (extra >>> 8);
      length = Math.floorMod(length + (extra >>> 4), wire.length + 1);
    }
    for (int i = ChunkHeader.BYTES; i < length; i++) {
      wire[i] = content(ChunkHeader.sequence(datagram, 0), ChunkHeader.chunk(datagram, 0), i);
    }
    return length;
  }

  private static byte content(int sequence, int chunk, int at) {
    return (byte) (sequence * 31 + chunk * 7 + at);
  }

  private static void take(Reassembly reassembly, long now) {
    for (int next = reassembly.poll(now); next != Reassembly.NOTHING; next = reassembly.poll(now)) {
      if (next == Reassembly.LOST) {
        int total = reassembly.lostTotal();
        assertTrue(reassembly.lostChunks() <= total, "lost");
        reassembly.skip();
      } else {
        int bytes = reassembly.frameBytes();
        assertTrue(bytes >= 1 && bytes <= FRAME_BYTES);
        for (int i = 0; i < bytes; i++) {
          byte wanted =
              content(
                  reassembly.sequence(),
                  i / ChunkHeader.PAYLOAD_BYTES,
                  ChunkHeader.BYTES + i % ChunkHeader.PAYLOAD_BYTES);
          assertEquals(wanted, reassembly.frame().get(ValueLayout.JAVA_BYTE, i));
        }
        reassembly.release();
      }
    }
  }

  private static long counted(ReassemblyCounters counters) {
    long all = 0;
    for (Arrival kind : Arrival.values()) {
      all += counters.of(kind);
    }
    return all;
  }
}
