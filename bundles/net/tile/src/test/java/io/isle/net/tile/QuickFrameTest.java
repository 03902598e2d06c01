package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.packet.Drop;
import io.isle.lib.packet.UdpFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class QuickFrameTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(128, 64);

  private boolean isPlain(int length) {
    long at = memory.address();
    return QuickFrame.isPlain(QuickFrame.head(at), at, length);
  }

  /** A frame with some bytes changed is plain if and only if it has no options and no fault. */
  @Property(tries = 5000)
  void agreesWithTheParser(
      @ForAll Random random,
      @ForAll @IntRange(min = 0, max = 5) int changes,
      @ForAll @IntRange(min = 0, max = 100) int length) {
    UdpFrame.write(memory, 0, 10 << 24 | 9, 4000, 10 << 24 | 1, 9000, random.nextInt(60));
    for (int i = 0; i < changes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, random.nextInt(42), (byte) random.nextInt());
    }
    boolean options = memory.get(ValueLayout.JAVA_BYTE, 14) != 0x45;
    Drop drop = UdpFrame.check(memory, 0, length, false);
    assertEquals(drop == Drop.NONE && !options, isPlain(length));
  }

  @Test
  void anOrdinaryFrameIsPlain() {
    int length = UdpFrame.write(memory, 0, 10 << 24 | 9, 4000, 10 << 24 | 1, 9000, 18);
    assertTrue(isPlain(length));
  }
}
