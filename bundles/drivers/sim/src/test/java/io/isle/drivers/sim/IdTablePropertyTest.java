package io.isle.drivers.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class IdTablePropertyTest {
  @Property
  void itIsAMap(@ForAll List<@LongRange(min = -20, max = 20) Long> steps) {
    IdTable<String> table = new IdTable<>();
    Map<Long, String> oracle = new HashMap<>();
    for (long id : steps) {
      if (id > 0) {
        table.put(id, "v" + id);
        oracle.put(id, "v" + id);
      } else {
        table.remove(-id);
        oracle.remove(-id);
      }
    }
    for (long id = 1; id <= 20; id++) {
      assertEquals(oracle.get(id), table.get(id));
    }
    assertEquals(oracle.size(), table.size());
    assertNull(table.get(0));
  }
}
