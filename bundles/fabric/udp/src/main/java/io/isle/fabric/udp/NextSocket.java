package io.isle.fabric.udp;

import io.isle.api.fabric.ParkedPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import java.util.Optional;

/**
 * The socket on the side of the next node. Of dialect leap, that of the node: datagrams leave from
 * the port where the node listens. Otherwise one of its own, opened for the family of the next
 * node's address. One thread at a time, but for {@link #socket}.
 */
final class NextSocket {
  private final Optional<NodeSocket> node;
  private final UdpKernel kernel;
  private final UdpSettings settings;
  private volatile UdpSocket own;

  /**
   * @param node empty for a socket of its own
   */
  NextSocket(Optional<NodeSocket> node, UdpKernel kernel, UdpSettings settings) {
    this.node = node;
    this.kernel = kernel;
    this.settings = settings;
  }

  UdpSocket socket() {
    return node.isPresent() ? node.get().socket() : own;
  }

  /** Binds the socket of the node; returns the time of the next attempt. */
  long poll(long nowNs, UdpSettings wanted) {
    return node.isPresent() ? node.get().poll(nowNs, wanted) : Long.MAX_VALUE;
  }

  /** Why the socket of the node is not bound; empty without a failure. */
  String reason() {
    return node.isPresent() && node.get().socket() == null ? node.get().reason() : "";
  }

  /** Whether the address of the next node is wanted now. */
  boolean isReady() {
    return node.isEmpty() || node.get().socket() != null;
  }

  /** Of the bound socket; 0 if any address fits. */
  int family() {
    return node.isPresent() ? node.get().family() : 0;
  }

  /**
   * Opens the own socket for an address, if there is none for its family.
   *
   * @return the failure in words, or an empty text
   */
  String open(SockAddr to) {
    if (node.isPresent() || own != null && familyOf(own) == to.family()) {
      return "";
    }
    leave();
    int descriptor = kernel.sockets.socket(to.family(), Sockets.SOCK_DGRAM);
    if (descriptor < 0) {
      return to + ": " + SocketErrors.text(descriptor);
    }
    own = UdpSocket.prepare(kernel.calls, descriptor, to.family(), settings);
    return "";
  }

  private int familyOf(UdpSocket socket) {
    SockAddr local = new SockAddr();
    kernel.sockets.localAddress(socket.descriptor, local);
    return local.family();
  }

  void adopt(ParkedPort parked, UdpSettings wanted) {
    if (node.isPresent()) {
      node.get().adopt(parked, kernel.calls, wanted);
    } else {
      own = UdpSocket.adopt(kernel.calls, parked, wanted);
    }
  }

  Optional<Integer> part() {
    if (node.isPresent()) {
      return node.get().part();
    }
    Optional<Integer> parted = Optional.ofNullable(own).map(socket -> socket.descriptor);
    own = null;
    return parted;
  }

  void leave() {
    if (node.isPresent()) {
      node.get().leave();
    } else if (own != null) {
      kernel.close(own.descriptor);
      own = null;
    }
  }
}
