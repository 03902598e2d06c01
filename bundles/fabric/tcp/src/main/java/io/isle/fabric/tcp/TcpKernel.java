package io.isle.fabric.tcp;

import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.SocketBuffers;
import java.util.List;

/** The calls of one port. One thread at a time. */
final class TcpKernel {
  final Sockets sockets = new Sockets();
  final SocketOptions options = new SocketOptions();
  final SocketIo io = new SocketIo();
  final Vitals vitals;
  private final SocketBuffers buffers = new SocketBuffers();

  TcpKernel(Vitals vitals) {
    this.vitals = vitals;
  }

  /**
   * Prepares a socket before its connection or its listening begins; accepted connections inherit
   * all from their listener.
   *
   * @return the granted buffers, one a line
   */
  List<String> prepare(int descriptor, int bufferBytes) {
    options.set(descriptor, SocketOption.TCP_NODELAY, 1);
    options.set(descriptor, SocketOption.SO_KEEPALIVE, 1);
    options.set(descriptor, SocketOption.TCP_KEEPIDLE, 1);
    options.set(descriptor, SocketOption.TCP_KEEPINTVL, 1);
    options.set(descriptor, SocketOption.TCP_KEEPCNT, 3);
    return buffers.enlarge(descriptor, bufferBytes, true);
  }

  /** Closes a connection. */
  void close(int descriptor) {
    int code = sockets.close(descriptor);
    if (code != 0) {
      throw new IllegalStateException("close " + descriptor + ": " + SocketErrors.text(code));
    }
  }

  /** Closes a connection at once, without further attempts to deliver what was sent. */
  void drop(int descriptor) {
    options.linger(descriptor, 0);
    close(descriptor);
  }

  /** The address of the peer; {@code none} if the peer has gone. */
  String peer(int descriptor) {
    SockAddr address = new SockAddr();
    sockets.peerAddress(descriptor, address);
    return address.toString();
  }

  /** Whether a connection goes to itself, as a connect to a free port of this machine may. */
  boolean isOwn(int descriptor) {
    SockAddr local = new SockAddr();
    SockAddr peer = new SockAddr();
    return sockets.localAddress(descriptor, local) == 0
        && sockets.peerAddress(descriptor, peer) == 0
        && local.sameAs(peer);
  }
}
