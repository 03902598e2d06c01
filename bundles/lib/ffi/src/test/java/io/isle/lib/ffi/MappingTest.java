package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class MappingTest {
  private static final long PAGE = 4096;

  @Test
  void rangesOfAFileAreMappedAtTheirOffset() {
    try (MemoryFile file = MemoryFile.create("isle-test", 3 * PAGE);
        Arena arena = Arena.ofShared()) {
      MemorySegment all = file.map(arena);
      MemorySegment last = Mapping.populated(file.descriptor(), 2 * PAGE, PAGE, arena);
      MemorySegment middle = Mapping.readOnly(file.descriptor(), PAGE, PAGE, arena);
      last.set(JAVA_LONG, 8, 7);
      all.set(JAVA_LONG, PAGE, 5);
      assertEquals(7, all.get(JAVA_LONG, 2 * PAGE + 8));
      assertEquals(5, middle.get(JAVA_LONG, 0));
      assertThrows(IllegalArgumentException.class, () -> middle.set(JAVA_LONG, 0, 1));
    }
  }

  @Test
  void wrongOffsetsAreRefused() {
    try (MemoryFile file = MemoryFile.create("isle-test", PAGE);
        Arena arena = Arena.ofShared()) {
      PosixException refused =
          assertThrows(
              PosixException.class, () -> Mapping.writable(file.descriptor(), 1, PAGE, arena));
      assertEquals(Errno.EINVAL, refused.code());
    }
  }

  /** Who has the descriptor alone can never map for writing, whatever the mode says. */
  @Test
  void aReopenedFileIsReadOnlyByTheKernel() throws IOException {
    try (MemoryFile file = MemoryFile.create("isle-test", PAGE);
        Arena arena = Arena.ofShared()) {
      file.mode(0400);
      file.seal(false);
      Path path = Path.of("/proc/self/fd/" + file.descriptor());
      assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      int reader = file.reopenReadOnly();
      try {
        MemorySegment own = file.map(arena);
        own.set(JAVA_LONG, 0, 42);
        assertEquals(42, Mapping.readOnly(reader, 0, PAGE, arena).get(JAVA_LONG, 0));
        PosixException refused =
            assertThrows(PosixException.class, () -> Mapping.writable(reader, 0, PAGE, arena));
        assertEquals(Errno.EACCES, refused.code());
        assertTrue(MemoryFile.fixedSize(reader) == PAGE);
      } finally {
        Descriptors.close(reader);
      }
    }
  }
}
