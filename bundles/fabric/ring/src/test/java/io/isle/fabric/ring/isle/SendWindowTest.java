package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class SendWindowTest {
  /** The owner of the memory closes it on another thread. */
  @Test
  void memoryThatEndsDuringACallCostsNoRoom() {
    try (Arena arena = Arena.ofConfined()) {
      SendWindow window = new SendWindow(End.spec(RingSide.NEXT, "n"), arena);
      MemorySegment gone;
      try (Arena ended = Arena.ofConfined()) {
        gone = ended.allocate(End.BYTES);
      }
      for (int i = 0; i < 2 * End.WINDOW; i++) {
        assertThrows(
            IllegalStateException.class,
            () -> window.add(IsleFrame.DATA, gone, 0, gone, 0, End.BYTES, 1));
      }
      assertEquals(End.WINDOW, window.room());
      assertEquals(1, window.next());
    }
  }
}
