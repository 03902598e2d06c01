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
      int word = seed * 31 + i;
      for (int layer : layers) {
        int turned = word ^ (int) (0x9E3779B9L * (layer + 1));
        int by = layer % 31 + 1;
        word = turned << by | turned >>> 32 - by;
      }
      assertEquals(word, packet.get(LE, 8 + 4L * i), "number " + i);
    }
  }
}
