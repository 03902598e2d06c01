package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachSocketTest {
  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("net.sock");
  }

  private void refused(int code, String part) {
    NetException refusal =
        assertThrows(NetException.class, () -> AttachSocket.listen(path, 0660).close());
    assertEquals(code, refusal.code(), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"0660,rw-rw----", "0600,rw-------", "0666,rw-rw-rw-", "0777,rwxrwxrwx"})
  void theFileHasItsMode(String mode, String rights) throws IOException {
    try (AttachSocket socket = AttachSocket.listen(path, Integer.parseInt(mode, 8))) {
      assertTrue(socket.descriptor() >= 0);
      assertEquals(rights, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
    assertFalse(Files.exists(path));
  }

  @Test
  void theFileOfAnEndedProcessIsReplaced() throws IOException {
    // Java leaves the file behind the socket
    try (ServerSocketChannel ended = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      ended.bind(UnixDomainSocketAddress.of(path));
    }
    assertTrue(Files.exists(path));
    try (AttachSocket socket = AttachSocket.listen(path, 0660);
        AttachClients clients = new AttachClients(path)) {
      assertTrue(socket.descriptor() >= 0);
      assertTrue(clients.connect() >= 0);
    }
  }

  @Test
  void aSocketThatListensIsLeftAlone() {
    try (AttachSocket socket = AttachSocket.listen(path, 0660);
        AttachClients clients = new AttachClients(path)) {
      refused(Errno.EBUSY, "another process listens at");
      assertTrue(socket.descriptor() >= 0);
      assertTrue(clients.connect() >= 0);
    }
  }

  @Test
  void aSocketOfAnotherTypeThatListensIsLeftAlone() throws IOException {
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(path));
      refused(Errno.EBUSY, "another process listens at");
    }
  }

  @Test
  void whatIsNoSocketIsLeftAlone() throws IOException {
    Files.writeString(path, "mine");
    refused(Errno.EEXIST, "is no socket");
    assertEquals("mine", Files.readString(path));
    Files.delete(path);
    Files.createSymbolicLink(path, folder.resolve("elsewhere"));
    refused(Errno.EEXIST, "is no socket");
  }

  @Test
  void aLongPathIsRefusedWithTheLimit() {
    path = folder.resolve("n".repeat(108));
    refused(Errno.EINVAL, "1 to 107 bytes");
  }

  @Test
  void aMissingFolderIsNamed() {
    path = folder.resolve("none").resolve("s");
    refused(Errno.ENOENT, path.toString());
  }

  @Test
  void theFileOfASuccessorStays() throws IOException {
    AttachSocket first = AttachSocket.listen(path, 0660);
    Files.move(path, folder.resolve("old"));
    try (AttachSocket second = AttachSocket.listen(path, 0660)) {
      assertTrue(second.descriptor() >= 0);
      first.close();
      assertTrue(Files.exists(path));
    }
  }
}
