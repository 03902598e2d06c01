package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketOptionsTest {
  private final Loopback net = new Loopback();
  private final SocketOptions options = net.options;

  @AfterEach
  void close() {
    net.close();
  }

  private int socket(int family, int type) {
    return net.keep(net.sockets.socket(family, type));
  }

  /** A value that differs from the default, so that reading back proves the write. */
  private static Map<SocketOption, Integer> changes() {
    Map<SocketOption, Integer> values = new EnumMap<>(SocketOption.class);
    for (SocketOption on :
        Set.of(
            SocketOption.SO_REUSEADDR,
            SocketOption.SO_KEEPALIVE,
            SocketOption.SO_REUSEPORT,
            SocketOption.SO_ZEROCOPY,
            SocketOption.TCP_NODELAY,
            SocketOption.UDP_GRO)) {
      values.put(on, 1);
    }
    values.put(SocketOption.SO_RCVLOWAT, 77);
    values.put(SocketOption.SO_BUSY_POLL, 3);
    values.put(SocketOption.SO_PREFER_BUSY_POLL, 1);
    values.put(SocketOption.TCP_MAXSEG, 1000);
    values.put(SocketOption.TCP_KEEPIDLE, 11);
    values.put(SocketOption.TCP_KEEPINTVL, 12);
    values.put(SocketOption.TCP_KEEPCNT, 3);
    values.put(SocketOption.TCP_SYNCNT, 2);
    values.put(SocketOption.TCP_QUICKACK, 0);
    values.put(SocketOption.TCP_USER_TIMEOUT, 5000);
    values.put(SocketOption.TCP_NOTSENT_LOWAT, 16_384);
    values.put(SocketOption.IP_MTU_DISCOVER, 3);
    values.put(SocketOption.IPV6_MTU_DISCOVER, 3);
    values.put(SocketOption.IP_RECVERR, 1);
    values.put(SocketOption.IPV6_RECVERR, 1);
    values.put(SocketOption.IPV6_V6ONLY, 1);
    values.put(SocketOption.UDP_SEGMENT, 1400);
    return values;
  }

  @Test
  void anOptionHasTheValueItWasGiven() {
    changes()
        .forEach(
            (option, value) -> {
              int fd =
                  socket(
                      option.name().startsWith("IPV6") ? Sockets.AF_INET6 : Sockets.AF_INET,
                      option.name().startsWith("UDP") ? Sockets.SOCK_DGRAM : Sockets.SOCK_STREAM);
              int code = options.set(fd, option, value);
              if (option.name().contains("BUSY_POLL") && code != 0) {
                // a kernel without busy polling, or a process without the right
                assertTrue(code == -SocketErrors.ENOPROTOOPT || code == -Errno.EPERM, "" + code);
                return;
              }
              assertEquals(0, code, () -> option + ": " + SocketErrors.text(code));
              assertEquals(value, options.get(fd, option), option::name);
            });
  }

  @Test
  void everyOptionIsTried() {
    EnumSet<SocketOption> rest = EnumSet.allOf(SocketOption.class);
    rest.removeAll(changes().keySet());
    rest.removeAll(
        Set.of(
            SocketOption.SO_SNDBUF,
            SocketOption.SO_RCVBUF,
            SocketOption.SO_SNDBUFFORCE,
            SocketOption.SO_RCVBUFFORCE)); // aBufferIsGrantedTwice
    rest.removeAll(
        Set.of(
            SocketOption.SO_ERROR,
            SocketOption.SO_ACCEPTCONN,
            SocketOption.IP_MTU,
            SocketOption.IPV6_MTU)); // whatIsOnlyRead
    rest.remove(SocketOption.SO_BUSY_POLL_BUDGET); // whatIsOnlyWritten
    assertEquals(Set.of(), rest);
  }

  @Test
  void aBufferIsGrantedTwice() {
    int fd = socket(Sockets.AF_INET, Sockets.SOCK_STREAM);
    assertEquals(0, options.set(fd, SocketOption.SO_SNDBUF, 50_000));
    assertEquals(100_000, options.get(fd, SocketOption.SO_SNDBUF));
    assertEquals(0, options.set(fd, SocketOption.SO_RCVBUF, 60_000));
    assertEquals(120_000, options.get(fd, SocketOption.SO_RCVBUF));
    int large = 64 << 20;
    int code = options.set(fd, SocketOption.SO_SNDBUFFORCE, large);
    assertEquals(code, options.set(fd, SocketOption.SO_RCVBUFFORCE, large));
    assertTrue(code == 0 || code == -Errno.EPERM, SocketErrors.text(code));
    assertEquals(code == 0 ? 2 * large : 100_000, options.get(fd, SocketOption.SO_SNDBUF));
    assertEquals(code == 0 ? 2 * large : 120_000, options.get(fd, SocketOption.SO_RCVBUF));
  }

  @Test
  void whatIsOnlyWritten() {
    int fd = socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    int code = options.set(fd, SocketOption.SO_BUSY_POLL_BUDGET, 3);
    assertTrue(code == 0 || code == -SocketErrors.ENOPROTOOPT, () -> SocketErrors.text(code));
    assertEquals(-SocketErrors.ENOPROTOOPT, options.get(fd, SocketOption.SO_BUSY_POLL_BUDGET));
  }

  @Test
  void whatIsOnlyRead() {
    int listener = net.listener();
    assertEquals(1, options.get(listener, SocketOption.SO_ACCEPTCONN));
    int[] pair = net.connection(listener);
    assertEquals(0, options.get(pair[0], SocketOption.SO_ACCEPTCONN));
    assertEquals(0, options.get(pair[0], SocketOption.SO_ERROR));
    assertEquals(-SocketErrors.ENOPROTOOPT, options.set(pair[0], SocketOption.SO_ERROR, 1));
    assertTrue(options.get(pair[0], SocketOption.IP_MTU) >= 1500);
    int fd = socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    assertEquals(-Errno.ENOTCONN, options.get(fd, SocketOption.IP_MTU));
    int six = socket(Sockets.AF_INET6, Sockets.SOCK_DGRAM);
    assertEquals(-Errno.ENOTCONN, options.get(six, SocketOption.IPV6_MTU));
  }

  @Test
  void anOptionOfAnotherProtocolIsRefused() {
    int fd = socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    assertTrue(options.set(fd, SocketOption.TCP_NODELAY, 1) < 0);
    assertTrue(options.get(fd, SocketOption.TCP_NODELAY) < 0);
    assertEquals(-Errno.EINVAL, options.set(fd, SocketOption.UDP_SEGMENT, 70_000));
    assertEquals(-SocketErrors.EBADF, options.get(-1, SocketOption.SO_ERROR));
  }

  @Test
  void theStateOfAConnectionIsTold() {
    int listener = net.listener();
    TcpInfo info = new TcpInfo();
    assertEquals(-1, info.state(), "nothing is read yet");
    assertEquals(0, options.tcpInfo(listener, info));
    assertEquals(TcpInfo.TCP_LISTEN, info.state());
    int[] pair = net.connection(listener);
    try (Arena arena = Arena.ofConfined()) {
      net.io.send(pair[0], arena.allocate(5000), 0, 5000, 0);
      net.await(pair[1], PollSet.POLLIN);
    }
    assertEquals(0, options.tcpInfo(pair[1], info));
    assertEquals(TcpInfo.TCP_ESTABLISHED, info.state());
    assertEquals(5000, info.bytesReceived());
    assertEquals(0, info.retransmits());
    assertEquals(0, info.probes());
    assertEquals(0, info.backoff());
    assertEquals(0, info.lost());
    assertEquals(0, info.totalRetransmits());
    assertEquals(0, info.notSentBytes());
    assertEquals(0, info.unacknowledged());
    assertTrue(info.sinceReceived() < 60_000, "" + info.sinceReceived());
    assertEquals(0, options.tcpInfo(pair[0], info));
    assertTrue(info.bytesAcknowledged() <= 5001, "" + info.bytesAcknowledged());
    assertTrue(info.sendSegment() > 500 && info.sendSegment() < 65_536);
    assertEquals(options.get(pair[0], SocketOption.IP_MTU), info.pathMtu());
    assertTrue(info.roundTrip() > 0 && info.roundTrip() < 10_000_000);
    assertTrue(info.leastRoundTrip() <= info.roundTrip());
    assertTrue(info.roundTripDeviation() >= 0 && info.congestionWindow() > 0);
    assertTrue(info.retransmitTimeout() >= 1000 && info.peerWindow() != 0);
    assertTrue(info.sinceSent() < 60_000 && info.sinceAcknowledged() < 60_000);
    net.sockets.shutdown(pair[1], Sockets.SHUT_WR);
    net.await(pair[0], PollSet.POLLRDHUP);
    assertEquals(0, options.tcpInfo(pair[0], info));
    assertEquals(TcpInfo.TCP_CLOSE_WAIT, info.state());
    int udp = socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
    assertTrue(options.tcpInfo(udp, info) < 0);
    assertEquals(TcpInfo.TCP_CLOSE_WAIT, info.state(), "the old contents stay");
  }

  @Test
  void aFullWindowIsSeen() {
    int[] pair = net.connection();
    TcpInfo info = new TcpInfo();
    try (Arena arena = Arena.ofConfined()) {
      var data = arena.allocate(1 << 20);
      long sent;
      do {
        sent = net.io.send(pair[0], data, 0, data.byteSize(), 0);
      } while (sent > 0);
      assertEquals(-Errno.EAGAIN, sent);
      assertEquals(0, options.tcpInfo(pair[0], info));
      assertTrue(info.notSentBytes() > 0);
      assertTrue(net.sockets.unacknowledged(pair[0]) >= info.notSentBytes());
    }
  }

  @Test
  void anAbsentFieldIsNoNumber() {
    TcpInfo info = new TcpInfo();
    net.options.tcpInfo(net.connection()[0], info);
    info.length(104);
    assertEquals(0, info.totalRetransmits());
    assertEquals(-1, info.bytesAcknowledged());
    assertEquals(-1, info.notSentBytes());
    info.length(103);
    assertEquals(-1, info.totalRetransmits());
  }
}
