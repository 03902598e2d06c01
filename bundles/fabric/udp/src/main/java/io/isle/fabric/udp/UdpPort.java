package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The common part of both sides: data calls, and the view for other threads. */
abstract class UdpPort implements DatagramPort {
  /** Time between two looks at the failures of datagrams. */
  static final long WATCH_NS = 1_000_000_000L;

  /** Attempts of one call, as each failure of an earlier datagram is told instead of a result. */
  private static final int ATTEMPTS = 8;

  final UdpSettings settings;
  final UdpKernel kernel;
  private final Sender sender;
  private final Receiver receiver;
  private final Unreachable failures;
  private final TooLarge tooLarge;
  private long paths;
  private volatile PortState state;
  private volatile String reason = "";
  private volatile Optional<String> peer = Optional.empty();

  UdpPort(UdpSettings settings, UdpKernel kernel, PortState state) {
    this.settings = settings;
    this.kernel = kernel;
    this.state = state;
    sender = new Sender(kernel.calls);
    receiver = new Receiver(kernel.calls);
    failures = new Unreachable(kernel.calls);
    tooLarge = new TooLarge(kernel);
  }

  /** The socket; null before. Any thread. */
  abstract UdpSocket socket();

  /** Whether this side sends datagrams, by its dialect. */
  abstract boolean sends();

  /** The neighbour, as in settings. */
  abstract String side();

  /** The error number of the failures in the reason; 0 for none. */
  int shown() {
    return 0;
  }

  /** The kernel refuses to send to the neighbour. */
  abstract void refused(int code);

  /** Gives the socket up, and the descriptor that a later version goes on with. */
  abstract Optional<Integer> part();

  /** Gives the socket up, and closes it unless another port has it. */
  abstract void leave();

  @Override
  public final int maxDatagram() {
    return UdpSettings.DATAGRAM;
  }

  @Override
  public final int maxBatch() {
    return Sender.MOST_BYTES / UdpSettings.DATAGRAM * UdpSettings.DATAGRAM;
  }

  @Override
  public final int receiveBuffer() {
    UdpSocket socket = socket();
    return socket == null ? Integer.MAX_VALUE : socket.receiveBuffer();
  }

  @Override
  public final int segment() {
    return receiver.segment();
  }

  final long sendTo(SockAddr to, MemorySegment batch, long offset, long length, int segment) {
    UdpSocket socket = socket();
    long code = -Errno.ENOTCONN;
    for (int i = 0; i < ATTEMPTS; i++) {
      code = sender.send(socket, batch, offset, length, segment, to);
      if (code >= 0) {
        tooLarge.sent(Math.min(length, segment));
        return code;
      }
      switch ((int) -code) {
        case Errno.EAGAIN, SocketErrors.ENOBUFS, Errno.ENOMEM -> {
          return -Errno.EAGAIN;
        }
        case Errno.EMSGSIZE -> {
          failures.take(socket);
          tooLarge.refused(side(), to, Math.min(length, segment));
          return -Errno.EMSGSIZE;
        }
        default -> failures.take(socket);
      }
    }
    refused((int) code);
    return -Errno.ENOTCONN;
  }

  final long receiveFrom(Receiver.Sources sources, MemorySegment into, long offset, long length) {
    UdpSocket socket = socket();
    for (int i = 0; i < ATTEMPTS; i++) {
      long bytes = receiver.receive(socket, into, offset, length, sources);
      if (bytes >= 0 || bytes == -Errno.EAGAIN) {
        return bytes;
      }
      failures.take(socket);
    }
    return -Errno.EAGAIN;
  }

  final void takeFailures() {
    failures.take(socket());
  }

  /** A time by which a look is due, the same for all ports of a machine. */
  static long nextWatch(long nowNs) {
    return (Math.floorDiv(nowNs, WATCH_NS) + 1) * WATCH_NS;
  }

  final void begin(String address) {
    paths++;
    resume(address);
  }

  final void resume(String address) {
    peer = Optional.of(address);
    state = PortState.UP;
  }

  final void state(PortState now) {
    state = now;
  }

  final void reason(String text) {
    reason = text;
  }

  final void paths(long count) {
    paths = count;
  }

  final boolean closed() {
    return state == PortState.CLOSED;
  }

  @Override
  public final PortState state() {
    return state;
  }

  @Override
  public final String reason() {
    String large = tooLarge.reason();
    return large.isEmpty() ? reason : large;
  }

  @Override
  public final int failure() {
    return tooLarge.reason().isEmpty() ? shown() : Errno.EMSGSIZE;
  }

  @Override
  public final Optional<String> peer() {
    return peer;
  }

  @Override
  public final List<String> notes() {
    UdpSocket socket = socket();
    if (socket == null) {
      return List.of();
    }
    List<String> notes = new ArrayList<>(socket.notes());
    if (sends() && socket.unreachable() > 0) {
      notes.add(socket.unreachable() + " datagrams did not reach a node");
    }
    if (settings.plaintext()) {
      notes.add("plaintext = true: bytes are not encrypted");
    }
    return List.copyOf(notes);
  }

  @Override
  public final long paths() {
    return paths;
  }

  @Override
  public final long strays() {
    return 0;
  }

  @Override
  public final Optional<ParkedPort> park() {
    if (closed()) {
      return Optional.empty();
    }
    UdpParking parking = new UdpParking(this, Optional.ofNullable(socket()));
    Optional<ParkedPort> parked = part().map(parking::parked);
    end();
    return parked;
  }

  @Override
  public final void close() {
    if (!closed()) {
      leave();
      end();
    }
  }

  private void end() {
    peer = Optional.empty();
    state = PortState.CLOSED;
  }
}
