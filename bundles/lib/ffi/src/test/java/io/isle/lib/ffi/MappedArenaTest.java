package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MappedArenaTest {
  @Test
  void memoryIsZeroAndDoesNotCountAsDirect() {
    long before = direct();
    try (MappedArena arena = new MappedArena()) {
      MemorySegment memory = arena.allocate(64L << 20);
      assertEquals(64L << 20, memory.byteSize());
      assertEquals(-1, memory.mismatch(memory));
      assertEquals(0, memory.get(ValueLayout.JAVA_LONG, (64L << 20) - 8));
      memory.set(ValueLayout.JAVA_LONG, 0, 42);
      assertEquals(42, memory.get(ValueLayout.JAVA_LONG, 0));
      assertTrue(direct() - before < 1 << 20, () -> "direct memory " + direct());
    }
  }

  @Test
  void anyAlignmentAndSizeIsGiven() throws IOException {
    try (MappedArena arena = new MappedArena()) {
      assertEquals(0, arena.allocate(0, 1).byteSize());
      assertEquals(1, arena.allocate(1, 1).byteSize());
      for (long alignment = 1; alignment <= 1 << 24; alignment *= 2) {
        MemorySegment memory = arena.allocate(4097, alignment);
        assertEquals(0, memory.address() % alignment);
        memory.set(ValueLayout.JAVA_BYTE, 4096, (byte) 1);
        assertTrue(isMapped(memory.address()));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new MappedArena().allocate(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> new MappedArena().allocate(1, 3));
  }

  @Test
  void closingUnmapsAndWhoLooksThenIsTold() throws IOException {
    MappedArena arena = new MappedArena();
    MemorySegment memory = arena.allocate(1 << 20, 1 << 20);
    assertTrue(isMapped(memory.address()));
    arena.close();
    arena.close();
    assertFalse(isMapped(memory.address()));
    assertFalse(arena.scope().isAlive());
    assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
    assertThrows(IllegalStateException.class, () -> arena.allocate(1));
  }

  @Test
  void whatTheMachineHasNotIsAnErrorWithItsCode() {
    try (MappedArena arena = new MappedArena()) {
      for (long bytes : new long[] {1L << 60, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
        PosixException refused = assertThrows(PosixException.class, () -> arena.allocate(bytes, 1));
        assertEquals(Errno.ENOMEM, refused.code(), refused.getMessage());
      }
    }
  }

  @Test
  void aSystemCallInProgressIsWaitedFor() throws Exception {
    MappedArena arena = new MappedArena();
    MemorySegment word = arena.allocate(4, 4);
    Futex futex = new Futex(arena);
    Thread sleeper =
        Thread.ofPlatform()
            .start(
                () -> {
                  futex.await(word, 0, TimeUnit.SECONDS.toNanos(30));
                });
    // only a thread inside the call keeps it open
    while (!isInCall(word.address())) {
      assertTrue(sleeper.isAlive());
      Thread.onSpinWait();
    }
    assertFalse(arena.tryClose());
    assertThrows(IllegalStateException.class, arena::close);
    assertEquals(0, word.get(ValueLayout.JAVA_INT, 0));
    while (sleeper.isAlive()) {
      Futex.wake(word, 1);
      Thread.onSpinWait();
    }
    arena.close();
    assertFalse(isMapped(word.address()));
  }

  /** Whether a thread of this process sleeps in a system call whose first argument this is. */
  private static boolean isInCall(long argument) throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        if (syscall(task).startsWith("202 0x" + Long.toHexString(argument) + " ")) {
          return true;
        }
      }
    }
    return false;
  }

  private static String syscall(Path task) {
    try {
      return Files.readString(task.resolve("syscall"));
    } catch (IOException e) {
      // the thread has ended
      return "";
    }
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static boolean isMapped(long address) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
        .anyMatch(
            range ->
                Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0);
  }
}
