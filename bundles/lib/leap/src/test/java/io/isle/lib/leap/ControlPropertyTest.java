package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Classification against the rule written once more, on bytes near valid packets. */
class ControlPropertyTest {
  private static final int[] SIZES = {1, 2, 8, 163, 164, 165, 171, 172, 264, 1400};

  private static byte[] near(Random random) {
    byte[] packet = new byte[SIZES[random.nextInt(SIZES.length)]];
    MemorySegment memory = MemorySegment.ofArray(packet);
    if (packet.length >= 164) {
      int layers = 1 + random.nextInt(40);
      int count = Math.min(layers, 1 + random.nextInt(18));
      int[] boundaries = random.ints(1, layers + 1).distinct().limit(count).sorted().toArray();
      int most = Math.min(17, boundaries.length);
      int written =
          ResizePlan.of(layers, Arrays.copyOf(boundaries, most)).write(memory, 0, packet.length);
      assertEquals(packet.length, written);
      if (boundaries.length > 2) {
        ControlWriter.index(memory, 0, random.nextInt(most - 1));
      }
      if (random.nextInt(8) == 0) {
        packet[2] = (byte) random.nextInt(5);
      }
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(random.nextBoolean() ? Math.min(48, packet.length) : packet.length);
      packet[at] = (byte) (random.nextBoolean() ? random.nextInt(3) : random.nextInt());
    }
    return packet;
  }

  /** Item by item of the rule, without the reader's shortcuts. */
  private static boolean expected(byte[] packet) {
    if (packet.length < 164 || (packet[0] & 0xFF) != 0xDE || (packet[1] & 0xFF) != 0xC0) {
      return false;
    }
    ByteBuffer in = ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN);
    boolean[] used = new boolean[packet.length];
    Arrays.fill(used, 0, 3, true);
    int type = packet[2];
    if (type == 1 || type == 3) {
      Arrays.fill(used, 3, 12, true);
      if (!range(in.getInt(3), in.getInt(7)) || packet[11] < 0 || packet[11] > 1) {
        return false;
      }
    } else if (type == 2) {
      int index = in.getInt(12);
      int workers = in.getInt(16);
      if (workers < 1 || workers > 16 || index < 0 || index >= workers) {
        return false;
      }
      Arrays.fill(used, 12, 20 + 9 * workers, true);
      for (int i = 0; i < workers; i++) {
        int at = 20 + 9 * i;
        boolean adjoins = i == 0 || in.getInt(at) == in.getInt(at - 5);
        int tail = packet[at + 8];
        if (!adjoins
            || !range(in.getInt(at), in.getInt(at + 4))
            || (tail != 0 && (tail != 1 || i < workers - 1))) {
          return false;
        }
      }
    } else {
      return false;
    }
    for (int i = 0; i < packet.length; i++) {
      if (!used[i] && packet[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean range(int start, int end) {
    return 0 <= start && start <= end && end <= 65_536;
  }

  @Property(tries = 20_000)
  void packetsNearTheEdgeAreClassifiedByTheRule(@ForAll long seed) {
    byte[] packet = near(new Random(seed));
    MemorySegment memory = MemorySegment.ofArray(packet);
    assertEquals(expected(packet), new ControlReader().packet(memory, 0, packet.length));
  }

  @Property(tries = 2_000)
  void anyBytesAreClassified(@ForAll byte[] bytes) {
    assertEquals(
        expected(bytes), new ControlReader().packet(MemorySegment.ofArray(bytes), 0, bytes.length));
  }

  @Property(tries = 2_000)
  void whatIsWrittenIsReadBack(
      @ForAll @IntRange(max = 65_536) int a,
      @ForAll @IntRange(max = 65_536) int b,
      @ForAll boolean tail,
      @ForAll @IntRange(min = 164, max = 9000) int bytes) {
    MemorySegment packet = MemorySegment.ofArray(new byte[bytes]);
    packet.fill((byte) 0xA5);
    ControlReader reader = new ControlReader();
    assertEquals(bytes, ControlWriter.ack(packet, 0, bytes, Math.min(a, b), Math.max(a, b), tail));
    assertTrue(reader.packet(packet, 0, bytes));
    assertEquals(Control.ACK, reader.type());
    assertEquals(Math.min(a, b), reader.start());
    assertEquals(Math.max(a, b), reader.end());
    assertEquals(tail, reader.tail());
  }
}
