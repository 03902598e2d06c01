package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.MemoryObject.Contents;
import io.isle.api.base.Ids;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceMemoryTest {
  private final DeviceMemory memory = new DeviceMemory(Ids.of(Ids.MEMORY, 1, 0), null, 16, 0);

  @Test
  void savedContentsAreRestored() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment before = arena.allocate(16);
      before.set(ValueLayout.JAVA_BYTE, 15, (byte) 42);
      memory.placed(Optional.of(before));
      memory.save();
    }
    MemorySegment after = Arena.ofAuto().allocate(16);
    assertTrue(memory.replaced(Optional.of(after)));
    assertEquals(42, after.get(ValueLayout.JAVA_BYTE, 15));
    assertEquals(Contents.VALID, memory.contents());
  }

  @Test
  void memoryThatWentWithItsContextHasNothingToSave() {
    try (Arena arena = Arena.ofShared()) {
      memory.placed(Optional.of(arena.allocate(16)));
    }
    memory.save();
    assertFalse(memory.replaced(Optional.of(Arena.ofAuto().allocate(16))));
    assertEquals(Contents.LOST, memory.contents());
  }
}
