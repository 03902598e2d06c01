package io.isle.spin.nic.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.hpus.SpinRings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class RingCountsTest {
  private static final long SENDS =
      SpinStructs.RINGS.offset("counters") + SpinStructs.COUNTERS.offset("sends");

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(SpinStructs.RINGS.size(), SpinStructs.PAGE);
  private final MemorySegment other = Arena.ofAuto().allocate(1 << 20, SpinStructs.PAGE);
  private final SpinRings rings = new SpinRings(memory, other, other, other);
  private final RingCounts counts = new RingCounts();

  private void sends(long number) {
    memory.set(ValueLayout.JAVA_LONG, SENDS, number);
  }

  private void are(long number) {
    assertEquals(number, counts.of("sends"));
    assertEquals(0, counts.of("failed"));
  }

  @Test
  void whatWasCountedBeforeStays() {
    are(0);
    counts.begin(rings);
    sends(3);
    are(3);
    counts.end();
    are(3);
    // other handlers count anew
    sends(0);
    are(3);
    counts.begin(rings);
    sends(2);
    are(5);
    counts.end();
    counts.end();
    are(5);
  }

  @Test
  void memoryThatIsNotAsAtFirstCountsFromThere() {
    sends(7);
    counts.begin(rings);
    are(0);
    sends(8);
    are(1);
  }

  @Test
  void memoryThatIsGoneTakesItsCountAlong() {
    counts.begin(rings);
    sends(4);
    counts.end();
    counts.begin(rings);
    sends(9);
    arena.close();
    are(4);
    counts.end();
    are(4);
  }
}
