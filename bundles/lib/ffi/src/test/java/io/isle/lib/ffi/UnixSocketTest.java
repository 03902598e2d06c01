package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class UnixSocketTest {
  @Test
  void nobodyConnectsIsEmpty() {
    try (UnixListener listener = UnixListener.listen("isle-test-" + UUID.randomUUID())) {
      assertTrue(listener.accept(1).isEmpty());
    }
  }

  @Test
  void aNameIsTakenOnce() {
    String name = "isle-test-" + UUID.randomUUID();
    UnixListener first = UnixListener.listen(name);
    assertThrows(PosixException.class, () -> UnixListener.listen(name));
    first.close();
    UnixListener.listen(name).close();
  }

  @Test
  void aNameHasBounds() {
    assertThrows(IllegalArgumentException.class, () -> UnixListener.listen(""));
    String tooLong = "x".repeat(108);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> UnixListener.listen(tooLong));
    assertEquals("a socket name has 1 to 107 bytes, not 108", refused.getMessage());
  }
}
