package io.isle.core.accel.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.core.accel.ids.IdPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Example;
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

  @Property
  void idsInUseAreUniqueAndNeverComeBackAtOnce(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 90) Integer> script) {
    IdPool pool = new IdPool(Ids.PROGRAM, 8, "programs");
    List<Long> inUse = new ArrayList<>();
    Map<Long, String> owners = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    for (int step : script) {
      if (step % 2 == 0 && !inUse.isEmpty()) {
        long id = inUse.remove(step % inUse.size());
        owners.remove(id);
        pool.give(id);
        continue;
      }
      String tenant = "tenant" + step % 3;
      long own = owners.values().stream().filter(tenant::equals).count();
      if (inUse.size() == 8 || own == 4) {
        AccelException full = assertThrows(AccelException.class, () -> pool.take(tenant));
        assertEquals(Errno.ENOSPC, full.code());
        assertTrue(
            full.getMessage()
                .contains(inUse.size() == 8 ? "all 8 programs" : "4 of the node's 8 programs"),
            full.getMessage());
        continue;
      }
      long id = pool.take(tenant);
      assertEquals(Ids.PROGRAM, Ids.kind(id));
      assertTrue(Ids.index(id) < 8);
      assertTrue(seen.add(id), "an id was given out twice");
      inUse.add(id);
      owners.put(id, tenant);
    }
  }

  @Example
  void aTableOfOneIsForWhoeverComesFirst() {
    IdPool pool = new IdPool(Ids.PROGRAM, 1, "programs");
    long id = pool.take("one");
    assertThrows(AccelException.class, () -> pool.take("other"));
    pool.give(id);
    pool.give(id);
    assertEquals(0, Ids.index(pool.take("other")));
    pool.give(id);
    assertThrows(AccelException.class, () -> pool.take("one"), "the other's is not given back");
  }
}
