package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.leap.Packets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Packets with known contents, and the reference of the stage mix. */
final class TestPackets {
  private static final ValueLayout.OfInt LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private TestPackets() {}

  static void write(MemorySegment packet, int position, int flags, int seed) {
    Packets.header(packet, 0, position, flags);
    for (int i = 0; i < TestRing.DIM; i++) {
      packet.set(LE, 8 + 4L * i, seed * 31 + i);
    }
  }

  /** Asserts the packet of {@link #write} after the given layers, in their order. */
  static void assertMixed(MemorySegment packet, int position, int seed, int... layers) {
    assertEquals(position, Packets.pos(packet, 0));
    for (int i = 0; i < TestRing.DIM; i++) {
      assertEquals(mixed(i, seed, layers), packet.get(LE, 8 + 4L * i), "number " + i);
    }
  }

  /** Whether a packet has the numbers of {@link #write} after the given layers. */
  static boolean isMixed(MemorySegment packet, int seed, int... layers) {
    for (int i = 0; i < TestRing.DIM; i++) {
      if (packet.get(LE, 8 + 4L * i) != mixed(i, seed, layers)) {
        return false;
      }
    }
    return true;
  }

  private static int mixed(int index, int seed, int... layers) {
    int word = seed * 31 + index;
    for (int layer : layers) {
      int turned = word ^ (int) (0x9E3779B9L * (layer + 1));
      int by = layer % 31 + 1;
      word = turned << by | turned >>> 32 - by;
    }
    return word;
  }
}
