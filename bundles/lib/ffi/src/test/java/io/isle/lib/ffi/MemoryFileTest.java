package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class MemoryFileTest {
  @Test
  void twoMappingsSeeTheSameBytes() {
    try (MemoryFile file = MemoryFile.create("test", 8192);
        Arena arena = Arena.ofShared()) {
      MemorySegment one = file.map(arena);
      MemorySegment two = file.map(arena);
      one.set(ValueLayout.JAVA_LONG, 4096, 42);
      assertEquals(42, two.get(ValueLayout.JAVA_LONG, 4096));
      assertEquals(0, two.get(ValueLayout.JAVA_LONG, 0));
    }
  }

  @Test
  void aSealedReadOnlyFileCannotBeMappedForWriting() {
    try (MemoryFile file = MemoryFile.create("test", 4096);
        Arena arena = Arena.ofShared()) {
      MemorySegment before = file.map(arena);
      file.seal(true);
      before.set(ValueLayout.JAVA_INT, 0, 7);
      assertEquals(7, before.get(ValueLayout.JAVA_INT, 0));
      assertThrows(PosixException.class, () -> file.map(arena));
    }
  }

  @Test
  void sealsCannotBeAddedTwice() {
    try (MemoryFile file = MemoryFile.create("test", 4096)) {
      file.seal(false);
      PosixException refused = assertThrows(PosixException.class, () -> file.seal(true));
      assertEquals(1, refused.code(), Errno.name(refused.code()));
    }
  }

  @Test
  void anImpossibleSizeIsAnErrorThatNamesTheCall() {
    PosixException refused =
        assertThrows(PosixException.class, () -> MemoryFile.create("test", -1));
    assertEquals(Errno.EINVAL, refused.code());
  }

  @Test
  void theSizeOfASealedFileIsFixed() {
    try (MemoryFile file = MemoryFile.create("test", 12288)) {
      assertEquals(-Errno.EPERM, MemoryFile.fixedSize(file.descriptor()));
      file.seal(false);
      assertEquals(12288, MemoryFile.fixedSize(file.descriptor()));
    }
  }

  @Test
  void othersHaveNoFixedSize() {
    try (EventDescriptor event = new EventDescriptor()) {
      assertEquals(-Errno.EINVAL, MemoryFile.fixedSize(event.descriptor()));
    }
    assertEquals(-SocketErrors.EBADF, MemoryFile.fixedSize(-1));
  }

  @Test
  void theUserOfThisProcessIsThatOfItsSockets() {
    Sockets sockets = new Sockets();
    int[] pair = new int[2];
    assertEquals(0, sockets.pair(Sockets.SOCK_STREAM, pair));
    assertEquals(PeerCredentials.ownUid(), PeerCredentials.of(pair[0]).uid());
    assertEquals(0, sockets.close(pair[0]));
    assertEquals(0, sockets.close(pair[1]));
  }
}
