package io.isle.fabric.impair;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.PeerRules;
import java.net.UnknownHostException;
import java.util.List;

/** The addresses of a relay and its sockets. One thread. */
final class Endpoints {
  private static final int BACKLOG = 16;
  private static final int BUFFER_BYTES = 8 << 20;

  private final ImpairSettings.Way way;
  private final PeerRules rules;
  private final SockAddr listen;
  private final SockAddr target;
  private final Sockets sockets = new Sockets();
  private final SocketOptions options = new SocketOptions();

  /**
   * @throws RingException if an address is not known, or beyond the loopback interface
   */
  Endpoints(ImpairSettings.Way way) {
    this.way = way;
    rules = new PeerRules(List.of(), way.plaintext());
    listen = resolve("listen", way.listenAt());
    target = resolve("to", way.sendTo());
  }

  private SockAddr resolve(String key, HostPort place) {
    SockAddr address;
    try {
      address = place.resolve().getFirst();
    } catch (UnknownHostException e) {
      throw new RingException(Errno.EINVAL, key + ": " + place + " has no address", e);
    }
    if (!rules.mayReach(address)) {
      throw new RingException(Errno.EPERM, key + ": " + PeerRules.refusal(place.toString()));
    }
    return address;
  }

  SockAddr listen() {
    return listen;
  }

  SockAddr target() {
    return target;
  }

  boolean admits(SockAddr peer) {
    return rules.admits(peer);
  }

  /** Any port of this machine, of the family of an address. */
  SockAddr any(SockAddr like) {
    SockAddr any = new SockAddr();
    if (like.isLoopback()) {
      any.copyFrom(like);
      any.port(0);
    } else if (like.isIpv4()) {
      any.ipv4(0, 0);
    } else {
      any.ipv6(0, 0, 0, 0);
    }
    return any;
  }

  /** A bound socket of datagrams. */
  int datagrams(SockAddr at) {
    int fd = socket(at, Sockets.SOCK_DGRAM);
    if (options.set(fd, SocketOption.SO_RCVBUFFORCE, BUFFER_BYTES) != 0) {
      var ignored = options.set(fd, SocketOption.SO_RCVBUF, BUFFER_BYTES);
    }
    bind(fd, at);
    return fd;
  }

  /** A listening socket of streams. */
  int listener() {
    int fd = socket(listen, Sockets.SOCK_STREAM);
    var ignored = options.set(fd, SocketOption.SO_REUSEADDR, 1);
    bind(fd, listen);
    int code = sockets.listen(fd, BACKLOG);
    if (code < 0) {
      close(fd);
      throw failed("listen", code);
    }
    return fd;
  }

  /** Takes a connection; a negated code for none. */
  int accept(int listener, SockAddr peer) {
    return sockets.accept(listener, peer);
  }

  /** Begins a connection to the target; a negated code if that is not possible. */
  int connect() {
    int fd = sockets.socket(target.family(), Sockets.SOCK_STREAM);
    if (fd < 0) {
      return fd;
    }
    int code = sockets.connect(fd, target);
    if (code != 0 && code != -Errno.EINPROGRESS) {
      close(fd);
      return code;
    }
    return fd;
  }

  /** No delay between a write and its packet. */
  void prompt(int fd) {
    var ignored = options.set(fd, SocketOption.TCP_NODELAY, 1);
  }

  /** Nothing more will be written. */
  void end(int fd) {
    int ignored = sockets.shutdown(fd, Sockets.SHUT_WR);
  }

  /** The peer gets a reset. */
  void reset(int fd) {
    int ignored = options.linger(fd, 0);
    close(fd);
  }

  void close(int fd) {
    int ignored = sockets.close(fd);
  }

  private int socket(SockAddr at, int type) {
    int fd = sockets.socket(at.family(), type);
    if (fd < 0) {
      throw failed("socket", fd);
    }
    return fd;
  }

  private void bind(int fd, SockAddr at) {
    int code = sockets.bind(fd, at);
    if (code < 0) {
      close(fd);
      throw failed(at == listen ? "listen" : "to", code);
    }
  }

  private RingException failed(String key, int code) {
    return new RingException(
        -code, key + ": " + way.listen() + " cannot be used: " + SocketErrors.text(-code));
  }
}
