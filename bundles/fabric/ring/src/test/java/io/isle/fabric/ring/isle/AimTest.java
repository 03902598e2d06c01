package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.ffi.MemoryView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class AimTest {
  private final Aim aim = new Aim(8);

  private ByteBuffer bytes(MemorySegment memory) {
    aim.begin(memory, 0);
    ByteBuffer bytes = aim.bytes();
    assertTrue(!aim.end(), "no packet");
    return bytes;
  }

  @Test
  void viewsOfManySegmentsAreRare() {
    Set<ByteBuffer> views = Collections.newSetFromMap(new IdentityHashMap<>());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocate(8, 8);
      MemorySegment other = arena.allocate(8, 8);
      views.add(bytes(one));
      for (int i = 0; i < 20_000; i++) {
        ByteBuffer view = bytes(i % 2 == 0 ? other : one);
        if (view != null) {
          views.add(view);
        }
      }
    }
    assertTrue(views.size() >= 5, "others get their turn");
    assertTrue(views.size() <= 40, views.size() + " views");
  }

  /** The same addresses in another lifetime are other memory. */
  @Test
  void aViewEndsWithItsMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(8, 8);
      Arena first = Arena.ofConfined();
      MemorySegment before = MemoryView.of(all, first);
      ByteBuffer view = bytes(before);
      first.close();
      CRC32C crc = new CRC32C();
      assertThrows(IllegalStateException.class, () -> crc.update(view));
      MemorySegment after = MemoryView.of(all, arena);
      assertEquals(before, after);
      assertNotSame(view, bytes(after));
    }
  }

  /** Segments of different sizes at one address are equal. */
  @Test
  void aViewServesNoLargerMemoryAtItsAddress() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment large = arena.allocate(64, 8);
      assertEquals(8, bytes(large.asSlice(0, 8)).capacity());
      assertEquals(large.asSlice(0, 8), large);
      assertNull(bytes(large));
    }
  }

  @Test
  void memoryThatHasNoViewIsLeftToTheQueue() {
    assertNull(bytes(MemorySegment.ofArray(new byte[8])));
  }
}
