package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketsTest {
  private final Loopback net = new Loopback();
  private final Sockets sockets = net.sockets;

  @AfterEach
  void close() {
    net.close();
  }

  @Test
  void bothSidesOfAConnectionNameTheSameAddresses() {
    int listener = net.listener();
    int[] pair = net.connection(listener);
    SockAddr peer = new SockAddr();
    assertEquals(0, sockets.peerAddress(pair[1], peer));
    assertTrue(peer.sameAs(net.local(pair[0])), peer + " and " + net.local(pair[0]));
    assertEquals(0, sockets.peerAddress(pair[0], peer));
    assertTrue(peer.sameAs(net.local(listener)));
    assertNotEquals(0, peer.port());
  }

  @Test
  void anAcceptTellsThePeer() {
    int listener = net.listener();
    int client = net.keep(sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM));
    sockets.connect(client, net.local(listener));
    net.await(listener, PollSet.POLLIN);
    SockAddr peer = new SockAddr();
    net.keep(sockets.accept(listener, peer));
    assertTrue(peer.sameAs(net.local(client)));
    assertEquals(-Errno.EAGAIN, sockets.accept(listener, peer));
    assertEquals(0, peer.family(), "no connection, no address");
  }

  @Test
  void aPortWhereNobodyListensRefuses() {
    int closed = net.listener();
    SockAddr address = net.local(closed);
    net.close(closed);
    int client = net.keep(sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM));
    int code = sockets.connect(client, address);
    if (code == -Errno.EINPROGRESS) {
      net.await(client, PollSet.POLLOUT);
      code = -net.options.get(client, SocketOption.SO_ERROR);
    }
    assertEquals(-SocketErrors.ECONNREFUSED, code);
    assertEquals("Connection refused", SocketErrors.text(code));
    assertEquals(0, net.options.get(client, SocketOption.SO_ERROR), "told once");
  }

  @Test
  void anAddressIsTakenOnce() {
    int first = net.listener();
    int second = net.keep(sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM));
    assertEquals(-SocketErrors.EADDRINUSE, sockets.bind(second, net.local(first)));
    SockAddr foreign = new SockAddr();
    foreign.ipv4(0xC0000201, 0);
    assertEquals(-SocketErrors.EADDRNOTAVAIL, sockets.bind(second, foreign));
  }

  @Test
  void whatIsNotConnectedHasNoPeer() {
    int fd = net.bound(Sockets.SOCK_STREAM);
    assertEquals(-Errno.ENOTCONN, sockets.peerAddress(fd, new SockAddr()));
    assertEquals(-Errno.ENOTCONN, sockets.shutdown(fd, Sockets.SHUT_RDWR));
    assertEquals("ENOTCONN", Errno.name(-Errno.ENOTCONN));
  }

  @Test
  void aClosedDescriptorIsNoDescriptor() {
    int fd = sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM);
    assertEquals(0, sockets.close(fd));
    assertEquals(-SocketErrors.EBADF, sockets.close(-1));
    assertEquals(-SocketErrors.EBADF, sockets.listen(-1, 1));
    assertEquals(-SocketErrors.EAFNOSUPPORT, sockets.socket(12345, Sockets.SOCK_STREAM));
  }

  @Test
  void anEndInOneDirectionLeavesTheOther() {
    int[] pair = net.connection();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(8);
      assertEquals(0, sockets.shutdown(pair[0], Sockets.SHUT_WR));
      assertTrue((net.await(pair[1], PollSet.POLLRDHUP) & PollSet.POLLRDHUP) != 0);
      assertEquals(0, net.io.receive(pair[1], bytes, 0, 8, 0));
      assertEquals(8, net.io.send(pair[1], bytes, 0, 8, 0));
      net.await(pair[0], PollSet.POLLIN);
      assertEquals(8, net.io.receive(pair[0], bytes, 0, 8, 0));
      assertEquals(-SocketErrors.EPIPE, net.io.send(pair[0], bytes, 0, 8, 0));
    }
  }

  @Test
  void bytesThatWaitAreCounted() {
    int[] pair = net.connection();
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(1000, net.io.send(pair[0], arena.allocate(1000), 0, 1000, 0));
      net.await(pair[1], PollSet.POLLIN);
      assertEquals(1000, sockets.unread(pair[1]));
      assertEquals(0, sockets.unread(pair[0]));
      int unacknowledged = sockets.unacknowledged(pair[0]);
      assertTrue(unacknowledged >= 0 && unacknowledged <= 1000, "" + unacknowledged);
      assertEquals(-Errno.EINVAL, sockets.unread(net.listener()));
    }
  }

  @Test
  void anIpv6SocketReachesBothFamilies() {
    int listener = net.keep(sockets.socket(Sockets.AF_INET6, Sockets.SOCK_STREAM));
    SockAddr any = new SockAddr();
    any.ipv6(0, 0, 0, 0);
    assertEquals(0, net.options.set(listener, SocketOption.IPV6_V6ONLY, 0));
    assertEquals(0, sockets.bind(listener, any));
    assertEquals(0, sockets.listen(listener, 4));
    int port = net.local(listener).port();
    int client = net.keep(sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM));
    sockets.connect(client, Loopback.address(port));
    net.await(listener, PollSet.POLLIN);
    SockAddr peer = new SockAddr();
    net.keep(sockets.accept(listener, peer));
    assertEquals(Sockets.AF_INET6, peer.family());
    assertTrue(peer.isIpv4() && peer.isLoopback());
    assertTrue(peer.sameAs(net.local(client)), "mapped or not");
    assertEquals(net.local(client).toString(), peer.toString());
    SockAddr mapped = Loopback.address(port);
    mapped.mapToIpv6();
    int sixth = net.keep(sockets.socket(Sockets.AF_INET6, Sockets.SOCK_STREAM));
    int code = sockets.connect(sixth, mapped);
    assertTrue(code == 0 || code == -Errno.EINPROGRESS, SocketErrors.text(code));
  }

  @Test
  void anAbstractUnixNameIsAnAddress() {
    SockAddr name = new SockAddr();
    name.unix("isle-test-" + UUID.randomUUID());
    int listener = net.keep(sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM));
    assertEquals(0, sockets.bind(listener, name));
    assertEquals(0, sockets.listen(listener, 4));
    assertTrue(net.local(listener).sameAs(name), () -> net.local(listener) + " and " + name);
    int client = net.keep(sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM));
    assertEquals(0, sockets.connect(client, name));
    SockAddr unnamed = new SockAddr();
    int accepted = net.keep(sockets.accept(listener, unnamed));
    assertEquals("unix:", unnamed.toString());
    assertFalse(unnamed.sameAs(name));
    assertEquals((int) ProcessHandle.current().pid(), PeerCredentials.of(accepted).pid());
  }

  @Test
  void aUnixNameHasBounds() {
    SockAddr address = new SockAddr();
    assertThrows(IllegalArgumentException.class, () -> address.unix(""));
    assertThrows(IllegalArgumentException.class, () -> address.unix("x".repeat(108)));
    address.unix("x".repeat(107));
    assertEquals("unix:" + "x".repeat(107), address.toString());
  }
}
