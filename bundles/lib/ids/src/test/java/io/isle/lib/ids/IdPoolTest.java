package io.isle.lib.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.IsleException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class IdPoolTest {
  private static final class Full extends IsleException {
    private static final long serialVersionUID = 1L;

    Full(int code, String message) {
      super(code, message, null);
    }
  }

  private static IdPool pool(int capacity) {
    return new IdPool(Ids.PROGRAM, capacity, "programs", Full::new);
  }

  @Property
  void idsInUseAreUniqueAndNeverComeBackAtOnce(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 90) Integer> script) {
    IdPool pool = pool(8);
    List<Long> inUse = new ArrayList<>();
    Map<Long, String> owners = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    for (int step : script) {
      if (step % 7 == 6) {
        // another pool goes on with what this one has given out
        IdPool next = pool(8);
        next.follow(pool.generations());
        for (long id : inUse) {
          assertTrue(next.retake(id, owners.get(id)));
        }
        pool = next;
        continue;
      }
      if (step % 2 == 0 && !inUse.isEmpty()) {
        long id = inUse.remove(step % inUse.size());
        owners.remove(id);
        pool.give(id);
        continue;
      }
      String tenant = "tenant" + step % 3;
      long own = owners.values().stream().filter(tenant::equals).count();
      if (inUse.size() == 8 || own == 4) {
        IdPool refusing = pool;
        Full full = assertThrows(Full.class, () -> refusing.take(tenant));
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
    IdPool pool = pool(1);
    long id = pool.take("one");
    assertThrows(Full.class, () -> pool.take("other"));
    pool.give(id);
    pool.give(id);
    assertEquals(0, Ids.index(pool.take("other")));
    pool.give(id);
    assertThrows(Full.class, () -> pool.take("one"), "the other's is not given back");
  }

  @Example
  void onlyWhatWasGivenOutIsTakenAgain() {
    IdPool before = pool(4);
    long one = before.take("t");
    long two = before.take("t");
    long three = before.take("u");
    IdPool pool = pool(4);
    assertFalse(pool.retake(one, "t"), "of a generation that is not known");
    pool.follow(before.generations());
    assertTrue(pool.retake(one, "t"));
    assertFalse(pool.retake(one, "t"), "twice");
    assertTrue(pool.retake(two, "t"));
    assertFalse(pool.retake(three, "t"), "beyond the tenant's share");
    assertTrue(pool.retake(three, "u"));
    assertFalse(pool.retake(Ids.of(Ids.MEMORY, 1, 3), "u"));
    assertFalse(pool.retake(Ids.of(Ids.PROGRAM, 1, 4), "u"));
    assertFalse(pool.retake(0x0500000180000000L, "u"));
    assertFalse(pool.retake(Ids.of(Ids.PROGRAM, 1, 0) & ~(1L << 32), "u"));
    assertEquals(3, Ids.index(pool.take("u")));
  }

  @Example
  void aPoolFollowsOnlyWhatCanHaveBeen() {
    IdPool pool = pool(2);
    assertThrows(IllegalArgumentException.class, () -> pool.follow(new int[3]));
    assertThrows(IllegalArgumentException.class, () -> pool.follow(new int[] {0, -1}));
    assertThrows(IllegalArgumentException.class, () -> pool.follow(new int[] {0, 1 << 24}));
    pool.startAfter(Ids.MAX_GENERATION);
    assertEquals(1, Ids.generation(pool.take("t")));
    pool.startAfter(41);
    assertEquals(42, Ids.generation(pool.take("u")));
  }
}
