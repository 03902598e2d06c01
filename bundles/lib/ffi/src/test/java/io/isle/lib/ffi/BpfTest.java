package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Calls that need no rights, and with rights a map and a program. */
class BpfTest {
  private final Sockets sockets = new Sockets();

  @Test
  void aWrongDescriptorOrNameIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(8);
      int code = Bpf.lookup(-1, key, key);
      assertTrue(code == -SocketErrors.EBADF || code == -Errno.EPERM, () -> "code " + code);
    }
    for (String name : new String[] {"", "sixteen_letters_", "a b"}) {
      assertThrows(
          IllegalArgumentException.class, () -> Bpf.createMap(Bpf.MAP_ARRAY, 4, 8, 1, name));
    }
  }

  @Test
  void aProgramReturnsItsVerdict() {
    try (Arena arena = Arena.ofConfined()) {
      // r0 = 3; exit
      MemorySegment code = arena.allocateFrom(ValueLayout.JAVA_LONG, 0x3_0000_00B7L, 0x95);
      int program = Bpf.loadXdp(code, "verdict", MemorySegment.NULL);
      assumeTrue(program >= 0, () -> "no eBPF here: " + SocketErrors.text(program));
      Bpf.TestRun run = new Bpf.TestRun();
      assertEquals(0, Bpf.testRun(program, arena.allocate(60), 10, run));
      assertEquals(3, run.verdict());
      assertTrue(run.nanos() >= 0);
      assertEquals(-Errno.EINVAL, Bpf.testRun(program, arena.allocate(10), 1, run));
      assertEquals(0, sockets.close(program));
    }
  }

  @Test
  void aMapKeepsItsValues() {
    int map = Bpf.createMap(Bpf.MAP_ARRAY, 4, 8, 2, "numbers");
    assumeTrue(map >= 0, () -> "no eBPF here: " + SocketErrors.text(map));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, 77L);
      assertEquals(0, Bpf.update(map, key, value));
      value.set(ValueLayout.JAVA_LONG, 0, 0);
      assertEquals(0, Bpf.lookup(map, key, value));
      assertEquals(77, value.get(ValueLayout.JAVA_LONG, 0));
      key.set(ValueLayout.JAVA_INT, 0, 2);
      assertTrue(Bpf.lookup(map, key, value) < 0);
    } finally {
      assertEquals(0, sockets.close(map));
    }
  }
}
