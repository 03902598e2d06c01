package io.isle.lib.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AppTableTest {
  private static AppTable table() {
    return new AppTable(Arena.ofAuto().allocate(AppTable.BYTES, 8));
  }

  @Property(tries = 50)
  void lastReplacementHolds(
      @ForAll @Size(max = 20)
          Map<@IntRange(min = 0, max = 65_535) Integer, @IntRange(min = 0, max = 7) Integer> before,
      @ForAll @Size(max = 20)
          Map<@IntRange(min = 0, max = 65_535) Integer, @IntRange(min = 0, max = 7) Integer>
              after) {
    AppTable table = table();
    table.replace(before);
    long old = table.bank();
    table.replace(after);
    for (int port = 0; port < AppTable.PORTS; port++) {
      assertEquals(after.getOrDefault(port, -1), table.app(table.bank(), port));
      // a reader amid its frames goes on with what it began with
      assertEquals(before.getOrDefault(port, -1), table.app(old, port));
    }
  }

  @Test
  void newMemoryHasNoApp() {
    AppTable table = table();
    assertEquals(-1, table.app(table.bank(), 53));
  }

  @Test
  void aWrongEntryChangesNothing() {
    AppTable table = table();
    table.replace(Map.of(53, 2));
    assertThrows(IllegalArgumentException.class, () -> table.replace(Map.of(65_536, 0)));
    assertThrows(IllegalArgumentException.class, () -> table.replace(Map.of(1, 8)));
    assertEquals(2, table.app(table.bank(), 53));
  }

  @Test
  void smallMemoryIsRefused() {
    MemorySegment small = Arena.ofAuto().allocate(AppTable.BYTES - 1, 8);
    assertThrows(IllegalArgumentException.class, () -> new AppTable(small));
  }
}
