package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
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

  @Test
  void aDescriptorIsHandedOver() {
    String name = "isle-test-" + UUID.randomUUID();
    try (UnixListener listener = UnixListener.listen(name);
        UnixConnection client = UnixConnection.connect(name);
        UnixConnection server = listener.accept(1000).orElseThrow();
        MemoryFile file = MemoryFile.create(name, 4096);
        Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom("here");
      MemorySegment got = arena.allocate(16);
      assertTrue(client.receive(got).isEmpty());
      server.send(text, file.descriptor());
      UnixMessage message = client.receive(got).orElseThrow();
      assertEquals(5, message.bytes());
      assertEquals("here", got.getString(0));
      assertNotEquals(file.descriptor(), message.descriptor());
      MemorySegment theirs = MemoryFile.map(message.descriptor(), 4096, true, arena);
      theirs.set(ValueLayout.JAVA_INT, 0, 42);
      assertEquals(42, file.map(arena).get(ValueLayout.JAVA_INT, 0));
      Descriptors.close(message.descriptor());
      assertEquals((int) ProcessHandle.current().pid(), client.peerPid());
      assertEquals(client.peer().uid(), server.peer().uid());
    }
  }

  @Test
  void aMessageWithoutADescriptorAndAnEndHaveNone() {
    String name = "isle-test-" + UUID.randomUUID();
    try (UnixListener listener = UnixListener.listen(name);
        UnixConnection client = UnixConnection.connect(name);
        Arena arena = Arena.ofConfined()) {
      MemorySegment got = arena.allocate(16);
      UnixConnection server = listener.accept(1000).orElseThrow();
      assertEquals(3, new SocketIo().send(server.descriptor(), arena.allocate(3), 0, 3, 0));
      assertEquals(new UnixMessage(3, -1), client.receive(got).orElseThrow());
      server.close();
      assertEquals(new UnixMessage(0, -1), client.receive(got).orElseThrow());
    }
  }

  @Test
  void aMessageThatIsTooLargeIsRefusedAndItsDescriptorClosed() throws IOException {
    String name = "isle-test-" + UUID.randomUUID();
    try (UnixListener listener = UnixListener.listen(name);
        UnixConnection client = UnixConnection.connect(name);
        UnixConnection server = listener.accept(1000).orElseThrow();
        MemoryFile file = MemoryFile.create(name, 4096);
        Arena arena = Arena.ofConfined()) {
      server.send(arena.allocate(17), file.descriptor());
      MemorySegment got = arena.allocate(16);
      PosixException refused = assertThrows(PosixException.class, () -> client.receive(got));
      assertEquals(Errno.EMSGSIZE, refused.code());
      assertEquals(1, descriptorsOf(name));
    }
  }

  /** Descriptors of this process that refer to the memory file. */
  private static long descriptorsOf(String file) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(fd -> refersTo(fd, file)).count();
    }
  }

  private static boolean refersTo(Path fd, String file) {
    try {
      return Files.readSymbolicLink(fd).toString().contains(file);
    } catch (IOException e) {
      // closed meanwhile
      return false;
    }
  }

  @Test
  void nobodyListensIsRefused() {
    PosixException refused =
        assertThrows(
            PosixException.class, () -> UnixConnection.connect("isle-test-" + UUID.randomUUID()));
    assertEquals(SocketErrors.ECONNREFUSED, refused.code());
  }
}
