package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorMessageTest {
  private static final String NAME = "isle-descriptor-message";

  private final Sockets sockets = new Sockets();
  private final int[] pair = new int[2];
  private final MemoryFile file = MemoryFile.create(NAME, 4096);
  private final DescriptorMessage out = new DescriptorMessage(64, DescriptorMessage.MOST);
  private final DescriptorMessage in = new DescriptorMessage(16, 3);

  @BeforeEach
  void connect() {
    assertEquals(0, sockets.pair(Sockets.SOCK_SEQPACKET, pair));
  }

  @AfterEach
  void close() {
    file.close();
    for (int fd : pair) {
      sockets.close(fd);
    }
  }

  private int[] passed(int count) {
    int[] all = new int[count];
    java.util.Arrays.fill(all, file.descriptor());
    return all;
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(DescriptorMessageTest::refersToFile).count();
    }
  }

  private static boolean refersToFile(Path fd) {
    try {
      return Files.readSymbolicLink(fd).toString().contains(NAME);
    } catch (IOException e) {
      // closed meanwhile
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void bytesAndDescriptorsArrive(int count) throws IOException {
    out.data().set(ValueLayout.JAVA_LONG, 0, 42);
    assertEquals(8, out.send(pair[0], 8, passed(count)));
    assertEquals(8, in.receive(pair[1]));
    assertEquals(42, in.data().get(ValueLayout.JAVA_LONG, 0));
    assertEquals(count, in.count());
    for (int i = 0; i < count; i++) {
      assertNotEquals(file.descriptor(), in.descriptor(i));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> in.descriptor(count));
    assertEquals(1 + count, descriptors());
    in.closeReceived();
    assertEquals(1, descriptors());
    assertEquals(0, in.count());
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 64, DescriptorMessage.MOST})
  void tooManyDescriptorsAreAllClosed(int count) throws IOException {
    assertEquals(1, out.send(pair[0], 1, passed(count)));
    assertEquals(-Errno.EMSGSIZE, in.receive(pair[1]));
    assertEquals(0, in.count());
    assertEquals(1, descriptors());
    assertEquals(1, out.send(pair[0], 1, passed(3)));
    assertEquals(1, in.receive(pair[1]));
    in.closeReceived();
  }

  @Test
  void theDescriptorsOfAMessageThatIsTooLargeAreClosed() throws IOException {
    assertEquals(17, out.send(pair[0], 17, passed(2)));
    assertEquals(-Errno.EMSGSIZE, in.receive(pair[1]));
    assertEquals(1, descriptors());
  }

  @Test
  void noMessageAndAnEndHaveCodes() {
    assertEquals(-Errno.EAGAIN, in.receive(pair[1]));
    assertEquals(0, sockets.shutdown(pair[0], Sockets.SHUT_RDWR));
    assertEquals(0, in.receive(pair[1]));
    assertEquals(-SocketErrors.EPIPE, out.send(pair[1], 1, passed(1)));
    assertEquals(-SocketErrors.EBADF, new DescriptorMessage(1, 1).receive(-1));
  }

  @Test
  void aFullSocketIsNoWait() {
    int sent = 0;
    int code = out.send(pair[0], 64);
    while (code > 0) {
      sent++;
      code = out.send(pair[0], 64);
    }
    assertEquals(-Errno.EAGAIN, code);
    assertNotEquals(0, sent);
  }

  @Test
  void boundsAreNamed() {
    assertThrows(IllegalArgumentException.class, () -> new DescriptorMessage(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new DescriptorMessage(1, 254));
    assertThrows(IllegalArgumentException.class, () -> in.send(pair[0], 17));
    assertThrows(IllegalArgumentException.class, () -> in.send(pair[0], 1, passed(4)));
  }
}
