package io.isle.core.accel.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class AllocatorsTest {
  private static final long SEGMENT = 64 * 64;

  @Property
  void rangesNeverOverlapAndAllComesBack(
      @ForAll @Size(max = 100) List<@IntRange(min = 1, max = 1000) Integer> script) {
    CommandArena arena = new CommandArena(SEGMENT);
    TreeMap<Long, Long> taken = new TreeMap<>();
    for (int step : script) {
      if (step % 3 == 0 && !taken.isEmpty()) {
        Map.Entry<Long, Long> range = taken.ceilingEntry((long) step * 4);
        range = range == null ? taken.firstEntry() : range;
        taken.remove(range.getKey());
        arena.give(range.getKey(), range.getValue());
        continue;
      }
      try {
        long offset = arena.take(step);
        assertEquals(0, offset % 64);
        Map.Entry<Long, Long> before = taken.floorEntry(offset);
        assertTrue(before == null || before.getKey() + before.getValue() <= offset);
        Long after = taken.higherKey(offset);
        assertTrue(offset + step <= (after == null ? SEGMENT : after));
        taken.put(offset, (long) step);
      } catch (AccelException e) {
        assertEquals(Errno.ENOSPC, e.code());
      }
    }
    taken.forEach(arena::give);
    assertEquals(0, arena.take(SEGMENT));
  }
}
