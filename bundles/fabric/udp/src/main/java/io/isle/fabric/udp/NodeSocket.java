package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.Backoff;
import io.isle.lib.net.Lookup;
import io.isle.lib.net.PeerRules;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The one socket of a node, bound to the address where the node listens: for what arrives from the
 * previous node, and for what goes to the next one. The first port that asks binds; the last one
 * that leaves closes. Thread-safe.
 */
final class NodeSocket {
  private static final long LOOKUP_NS = 20_000_000L;

  private final HostPort address;
  private final Lookup lookup;
  private final Backoff backoff;
  private final Sockets sockets = new Sockets();
  private final Datagrams calls;
  private final Consumer<NodeSocket> unused;
  private int users;
  private boolean looking;
  private boolean loopback;
  private volatile int family;
  private long due = Long.MIN_VALUE;
  private volatile UdpSocket socket;
  private volatile String reason = "";

  /**
   * @param unused called without a lock when the last port has left
   */
  NodeSocket(
      HostPort address,
      Lookup lookup,
      Backoff backoff,
      Datagrams calls,
      Consumer<NodeSocket> unused) {
    this.address = address;
    this.lookup = lookup;
    this.backoff = backoff;
    this.calls = calls;
    this.unused = unused;
  }

  /** The bound socket; null before. */
  UdpSocket socket() {
    return socket;
  }

  /** Why the socket is not bound; empty without a failure. */
  String reason() {
    return reason;
  }

  /** A port opens. Other settings than before apply to the bound socket, too. */
  synchronized void join(UdpSettings settings) {
    users++;
    due = Long.MIN_VALUE;
    if (socket != null) {
      socket.enlarge(settings.bufferBytes());
    }
  }

  /** Whether the settings of a port permit the address of the bound socket. */
  synchronized boolean isPermitted(UdpSettings settings) {
    return socket == null || settings.plaintext() || loopback;
  }

  /** A port closes; the last one closes the socket. */
  void leave() {
    synchronized (this) {
      users--;
      if (users == 0 && socket != null) {
        sockets.close(socket.descriptor);
        socket = null;
      }
    }
    unused.accept(this);
  }

  /**
   * A port leaves its socket to a later version. Other ports go on with theirs.
   *
   * @return a descriptor that the caller owns
   */
  Optional<Integer> part() {
    Optional<Integer> parted;
    synchronized (this) {
      users--;
      parted = parted();
    }
    unused.accept(this);
    return parted;
  }

  private Optional<Integer> parted() {
    if (socket == null) {
      return Optional.empty();
    }
    int descriptor = socket.descriptor;
    if (users == 0) {
      socket = null;
      return Optional.of(descriptor);
    }
    int copy = sockets.duplicate(descriptor);
    return copy < 0 ? Optional.empty() : Optional.of(copy);
  }

  synchronized boolean isUnused() {
    return users == 0;
  }

  /** Family of the bound socket. */
  int family() {
    return family;
  }

  /** Takes over a parked socket; closes the descriptor if the socket is here already. */
  synchronized void adopt(ParkedPort parked, Datagrams calls, UdpSettings settings) {
    if (socket != null) {
      sockets.close(parked.descriptors().getFirst());
      return;
    }
    own(UdpSocket.adopt(calls, parked, settings));
  }

  private void own(UdpSocket opened) {
    SockAddr bound = new SockAddr();
    sockets.localAddress(opened.descriptor, bound);
    opened.bound("sends and receives at " + bound);
    loopback = bound.isLoopback();
    family = bound.family();
    socket = opened;
  }

  /**
   * Binds when the time has come.
   *
   * @return the time of the next attempt; {@link Long#MAX_VALUE} once the socket is bound
   */
  synchronized long poll(long nowNs, UdpSettings settings) {
    if (socket != null) {
      return Long.MAX_VALUE;
    }
    if (nowNs < due) {
      return due;
    }
    if (!looking) {
      lookup.begin();
      looking = true;
    }
    if (!lookup.ended()) {
      due = nowNs + LOOKUP_NS;
      return due;
    }
    looking = false;
    if (lookup.addresses().isEmpty()) {
      return fail(lookup.failure(), nowNs);
    }
    SockAddr bind = lookup.addresses().getFirst();
    if (!settings.rules().mayReach(bind)) {
      reason = "listen: " + PeerRules.refusal(bind.toString());
      due = address.isLiteral() ? Long.MAX_VALUE : nowNs + backoff.next();
      return due;
    }
    int code = bind(bind, settings);
    if (code != 0) {
      return fail(SocketErrors.text(code) + remedy(-code), nowNs);
    }
    backoff.reset();
    reason = "";
    return Long.MAX_VALUE;
  }

  private int bind(SockAddr to, UdpSettings settings) {
    int descriptor = sockets.socket(to.family(), Sockets.SOCK_DGRAM);
    if (descriptor < 0) {
      return descriptor;
    }
    UdpSocket opened = UdpSocket.prepare(calls, descriptor, to.family(), settings);
    int code = sockets.bind(descriptor, to);
    if (code != 0) {
      sockets.close(descriptor);
      return code;
    }
    own(opened);
    return 0;
  }

  private long fail(String text, long nowNs) {
    reason = "listen: " + address + ": " + text;
    due = nowNs + backoff.next();
    return due;
  }

  private static String remedy(int errno) {
    return switch (errno) {
      case SocketErrors.EADDRINUSE ->
          ". Another program uses the port: end the program, or choose another port in listen";
      case SocketErrors.EADDRNOTAVAIL ->
          ". No interface of this machine has the address: correct listen, or start the interface";
      case Errno.EACCES -> ". Ports below 1024 need a privilege: choose another port in listen";
      default -> "";
    };
  }
}
