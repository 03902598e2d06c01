package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class MemoryViewTest {
  @Test
  void equalSegmentsOfAnotherSizeOrLifetimeAreNotTheSame() {
    try (Arena arena = Arena.ofConfined();
        Arena other = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64, 8);
      MemorySegment shorter = memory.asSlice(0, 8);
      MemorySegment view = MemoryView.of(memory, other);
      assertEquals(memory, shorter);
      assertEquals(memory, view);
      assertFalse(MemoryView.isSame(memory, shorter));
      assertFalse(MemoryView.isSame(memory, view));
      assertTrue(MemoryView.isSame(memory, memory.asSlice(0, 64)));
    }
  }
}
