package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.ArrayList;
import java.util.List;

/** Sockets on 127.0.0.1, all closed at the end. */
final class Loopback implements AutoCloseable {
  static final long SECONDS = 1_000_000_000L;
  private static final long LONG = 20 * SECONDS;

  final Sockets sockets = new Sockets();
  final SocketOptions options = new SocketOptions();
  final SocketIo io = new SocketIo();
  private final PollSet poll = new PollSet(1);
  private final List<Integer> open = new ArrayList<>();

  static SockAddr address(int port) {
    SockAddr address = new SockAddr();
    address.ipv4(0x7F000001, port);
    return address;
  }

  int keep(int fd) {
    assertTrue(fd >= 0, () -> SocketErrors.text(fd));
    open.add(fd);
    return fd;
  }

  /** A bound socket of 127.0.0.1. */
  int bound(int type) {
    int fd = keep(sockets.socket(Sockets.AF_INET, type));
    assertEquals(0, sockets.bind(fd, address(0)));
    return fd;
  }

  int listener() {
    int fd = bound(Sockets.SOCK_STREAM);
    assertEquals(0, sockets.listen(fd, 16));
    return fd;
  }

  SockAddr local(int fd) {
    SockAddr address = new SockAddr();
    assertEquals(0, sockets.localAddress(fd, address));
    return address;
  }

  /** A connection: the side that connected, then the one that accepted. */
  int[] connection() {
    int listener = listener();
    int[] pair = connection(listener);
    close(listener);
    return pair;
  }

  int[] connection(int listener) {
    int client = keep(sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM));
    int code = sockets.connect(client, local(listener));
    assertTrue(code == 0 || code == -Errno.EINPROGRESS, () -> SocketErrors.text(code));
    await(client, PollSet.POLLOUT);
    assertEquals(0, options.get(client, SocketOption.SO_ERROR));
    await(listener, PollSet.POLLIN);
    return new int[] {client, keep(sockets.accept(listener, new SockAddr()))};
  }

  /** Waits for an event and returns all that happened. */
  int await(int fd, int events) {
    poll.set(0, fd, events);
    assertEquals(1, poll.await(1, LONG));
    return poll.happened(0);
  }

  void close(int fd) {
    assertTrue(open.remove((Integer) fd));
    assertEquals(0, sockets.close(fd));
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      close(open.getLast().intValue());
    }
  }
}
