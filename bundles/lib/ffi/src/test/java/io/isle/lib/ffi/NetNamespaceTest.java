package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetNamespaceTest {
  private static List<String> interfaces() {
    try {
      return Files.readAllLines(Path.of("/proc/thread-self/net/dev")).stream()
          .skip(2)
          .map(line -> line.strip().split(":", 2)[0])
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long here() {
    try (NetNamespace current = NetNamespace.current()) {
      return current.inode();
    }
  }

  @Test
  void aNewNamespaceHasALoopbackAloneAndLeavesTheCallerWhereItIs() {
    long before = here();
    try (NetNamespace made = Namespaces.create()) {
      assertNotEquals(before, made.inode());
      assertEquals(List.of("lo"), made.call(NetNamespaceTest::interfaces));
      assertEquals(made.inode(), made.call(NetNamespaceTest::here));
      assertEquals(before, here());
    }
  }

  @Test
  void aNamespaceOpensByItsPath() {
    try (NetNamespace made = Namespaces.create();
        NetNamespace again = NetNamespace.ofPath(Path.of("/proc/self/fd/" + made.descriptor()))) {
      assertEquals(made.inode(), again.inode());
    }
  }

  @Test
  void failuresOfTheWorkReachTheCaller() {
    try (NetNamespace made = Namespaces.create()) {
      IllegalStateException own = new IllegalStateException("own");
      assertSame(
          own,
          assertThrows(
              IllegalStateException.class,
              () ->
                  made.call(
                      () -> {
                        throw own;
                      })));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", ".hidden", "a/b", "a b", "../../proc/1/ns/net"})
  void wrongNamesAreRefusedBeforeAFileIsOpened(String name) {
    PosixException refused = assertThrows(PosixException.class, () -> NetNamespace.named(name));
    assertEquals(Errno.EINVAL, refused.code());
    assertTrue(refused.getMessage().contains("'" + name + "'"), refused.getMessage());
  }

  @Test
  void whatIsNoNamespaceIsRefused() {
    assertEquals(
        Errno.ENOENT,
        assertThrows(PosixException.class, () -> NetNamespace.named("nothing-9")).code());
    for (String other : List.of("/proc/self/ns/mnt", "/dev/null")) {
      PosixException refused =
          assertThrows(PosixException.class, () -> NetNamespace.ofPath(Path.of(other)));
      assertEquals(Errno.EINVAL, refused.code());
    }
  }

  /** The number of a descriptor is free again: a leak would use a further one at each round. */
  @Test
  void noDescriptorStays() {
    int first = descriptorOf(Namespaces.create());
    for (int i = 0; i < 20; i++) {
      assertThrows(PosixException.class, () -> NetNamespace.ofPath(Path.of("/dev/null")));
    }
    assertTrue(descriptorOf(Namespaces.create()) < first + 15, "descriptors leak");
  }

  private static int descriptorOf(NetNamespace namespace) {
    try (namespace) {
      return namespace.descriptor();
    }
  }
}
