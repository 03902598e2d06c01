package io.isle.core.accel.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject.Contents;
import io.isle.api.base.Ids;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceMemoryTest {
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final DeviceMemory memory = new DeviceMemory(Ids.of(Ids.MEMORY, 1, 0), null, 16, 0);

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void savedContentsAreRestored() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment before = arena.allocate(16);
      before.set(ValueLayout.JAVA_BYTE, 15, (byte) 42);
      memory.placed(Optional.of(before));
      memory.save();
    }
    MemorySegment after = Arena.ofAuto().allocate(16);
    assertTrue(memory.replaced(Optional.of(after), false));
    assertEquals(42, after.get(ValueLayout.JAVA_BYTE, 15));
    assertEquals(Contents.VALID, memory.contents());
  }

  @Test
  void memoryThatWentWithItsContextHasNothingToSave() {
    try (Arena arena = Arena.ofShared()) {
      memory.placed(Optional.of(arena.allocate(16)));
    }
    memory.save();
    assertFalse(memory.replaced(Optional.of(Arena.ofAuto().allocate(16)), false));
    assertEquals(Contents.LOST, memory.contents());
  }

  @Test
  void theCopyOfADeviceIsStaleOnTheNextUntilARangeIsCopied() {
    memory.placed(Optional.of(Arena.ofAuto().allocate(16)));
    assertFalse(memory.isStale());
    assertFalse(memory.replaced(Optional.of(Arena.ofAuto().allocate(16)), true));
    assertTrue(memory.isStale(15, 1));
    memory.copied(0, 16);
    assertFalse(memory.isStale());
    assertTrue(memory.takeFreshLosses().orElseThrow().copies().isEmpty(), "nobody left it apart");
    assertFalse(memory.replaced(Optional.of(Arena.ofAuto().allocate(16)), true));
    memory.useApart();
    assertTrue(memory.takeFreshLosses().orElseThrow().copies().intersects(0, 1));
    assertFalse(memory.replaced(Optional.of(Arena.ofAuto().allocate(16)), false));
    assertFalse(memory.isStale(), "work of this device copies in any case");
  }

  @Test
  void aNewViewComesWithItsContents() {
    DeviceMemory retained = new DeviceMemory(Ids.of(Ids.MEMORY, 1, 1), null, 16, Buffer.RETAINED);
    retained.placed(Optional.of(Arena.ofAuto().allocate(16)));
    retained.keep();
    DeviceMemory.View before = retained.view().orElseThrow();
    MemorySegment unmapped;
    try (Arena arena = Arena.ofShared()) {
      unmapped = arena.allocate(16);
    }
    assertThrows(
        IllegalStateException.class, () -> retained.replaced(Optional.of(unmapped), false));
    assertSame(before, retained.view().orElseThrow(), "shown before it was restored");
  }

  @Test
  void whatTheCoreKeepsIsThereOnTheNextDevice() {
    DeviceMemory retained = new DeviceMemory(Ids.of(Ids.MEMORY, 1, 3), null, 16, Buffer.RETAINED);
    retained.keep();
    retained.lose(0, 8);
    assertTrue(retained.replaced(Optional.of(Arena.ofAuto().allocate(16)), false));
    assertEquals(Contents.VALID, retained.contents());
    assertTrue(retained.takeFreshLosses().isEmpty());
  }

  @Test
  void whoeverSeesTheNewViewSeesWhatWasLost() throws Exception {
    MemorySegment next = Arena.ofAuto().allocate(16);
    for (int i = 0; i < 20_000; i++) {
      DeviceMemory raced = new DeviceMemory(Ids.of(Ids.MEMORY, 1, 2), null, 16, 0);
      CyclicBarrier together = new CyclicBarrier(2);
      Future<Boolean> replacing =
          pool.submit(
              () -> {
                together.await();
                return raced.replaced(Optional.of(next), false);
              });
      together.await();
      while (raced.view().isEmpty()) {
        Thread.onSpinWait();
      }
      assertEquals(1, raced.losses());
      assertTrue(raced.isLost(0, 16));
      assertFalse(replacing.get());
    }
  }
}
