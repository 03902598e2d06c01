package io.isle.fabric.udp;

import io.isle.api.fabric.ParkedPort;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import io.isle.lib.net.SocketBuffers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open socket, for one or both ports of a node. Which calls the kernel offers for batches is
 * known here, for both. Thread-safe.
 */
final class UdpSocket {
  /** Probes by datagrams that must not be cut on the way: the sender hears of a smaller MTU. */
  private static final int IP_PMTUDISC_DO = 2;

  /** How datagrams are received. */
  enum Reads {
    /** One a call: each frame is a datagram, and a socket without UDP_GRO is faster. */
    ONE,
    /** As the kernel has joined them (UDP_GRO). */
    JOINED,
    /** Several a call, because the kernel joins none. */
    SEVERAL
  }

  final int descriptor;
  private volatile List<String> buffers;
  private volatile int bufferBytes;
  private volatile int receiveBuffer;
  private final AtomicLong unreachable = new AtomicLong();
  private volatile int lastFailure;
  private volatile String bound = "";
  private volatile Reads reads = Reads.ONE;

  /** Why the kernel does not cut; empty if it does. */
  private volatile String uncut = "";

  private UdpSocket(int descriptor, int bufferBytes, List<String> buffers) {
    this.descriptor = descriptor;
    this.bufferBytes = bufferBytes;
    granted(buffers);
  }

  private void granted(List<String> words) {
    buffers = words;
    // the kernel grants twice the value, for what it keeps beside the bytes
    receiveBuffer = new SocketOptions().get(descriptor, SocketOption.SO_RCVBUF) / 2;
  }

  /** A socket that has all options, but no address so far. */
  static UdpSocket prepare(Datagrams calls, int descriptor, int family, UdpSettings settings) {
    calls.set(descriptor, SocketOption.IP_MTU_DISCOVER, IP_PMTUDISC_DO);
    calls.set(descriptor, SocketOption.IP_RECVERR, 1);
    if (family == Sockets.AF_INET6) {
      calls.set(descriptor, SocketOption.IPV6_MTU_DISCOVER, IP_PMTUDISC_DO);
      calls.set(descriptor, SocketOption.IPV6_RECVERR, 1);
    }
    int bytes = settings.bufferBytes();
    UdpSocket socket =
        new UdpSocket(descriptor, bytes, new SocketBuffers().enlarge(descriptor, bytes, false));
    socket.uncut = probe(calls, descriptor);
    socket.reads = reads(calls, descriptor, settings);
    return socket;
  }

  /** A socket that an earlier version of the transport has left. */
  static UdpSocket adopt(Datagrams calls, ParkedPort parked, UdpSettings settings) {
    int descriptor = parked.descriptors().getFirst();
    UdpSocket socket =
        new UdpSocket(descriptor, settings.bufferBytes(), UdpParking.buffers(parked));
    String before = UdpParking.uncut(parked);
    socket.uncut = before.isEmpty() ? probe(calls, descriptor) : before;
    // datagrams that wait may be joined already
    boolean joined = calls.get(descriptor, SocketOption.UDP_GRO) == 1;
    socket.reads = joined ? Reads.JOINED : reads(calls, descriptor, settings);
    return socket;
  }

  /** Whether the kernel knows UDP_SEGMENT, which then is of a call, not of the socket. */
  private static String probe(Datagrams calls, int descriptor) {
    int code = calls.set(descriptor, SocketOption.UDP_SEGMENT, UdpSettings.DATAGRAM);
    if (code == 0) {
      code = calls.set(descriptor, SocketOption.UDP_SEGMENT, 0);
    }
    return code == 0 ? "" : SocketErrors.text(code);
  }

  private static Reads reads(Datagrams calls, int descriptor, UdpSettings settings) {
    if (settings.single()) {
      return Reads.ONE;
    }
    return calls.set(descriptor, SocketOption.UDP_GRO, 1) == 0 ? Reads.JOINED : Reads.SEVERAL;
  }

  /** The granted buffers, one a line. */
  List<String> buffers() {
    return buffers;
  }

  /** Changes the buffers if another size is wanted now. */
  void enlarge(int wanted) {
    if (wanted != bufferBytes) {
      bufferBytes = wanted;
      granted(new SocketBuffers().enlarge(descriptor, wanted, false));
    }
  }

  /** Bytes that may wait to be read; {@link Integer#MAX_VALUE} if the kernel does not tell. */
  int receiveBuffer() {
    return receiveBuffer > 0 ? receiveBuffer : Integer.MAX_VALUE;
  }

  /** Whether the kernel cuts a batch into datagrams (UDP_SEGMENT). */
  boolean cuts() {
    return uncut.isEmpty();
  }

  /** Why the kernel does not cut a batch; empty if it does. */
  String uncut() {
    return uncut;
  }

  Reads reads() {
    return reads;
  }

  /** The kernel cuts no more, because a batch failed. */
  void sendUncut(int code) {
    uncut = SocketErrors.text(code);
  }

  /** Datagrams that did not reach a node, as a machine on the way has told. */
  void countUnreachable(long more, int errno) {
    lastFailure = errno;
    unreachable.addAndGet(more);
  }

  long unreachable() {
    return unreachable.get();
  }

  /** The errno of the last one of {@link #unreachable}. */
  int lastFailure() {
    return lastFailure;
  }

  /** The address of the socket in words. */
  void bound(String words) {
    bound = words;
  }

  /** What the status tells; any thread. */
  List<String> notes() {
    List<String> notes = new ArrayList<>(buffers);
    if (!bound.isEmpty()) {
      notes.addFirst(bound);
    }
    if (!cuts()) {
      notes.add("datagrams are sent without UDP_SEGMENT: " + uncut);
    }
    if (reads == Reads.SEVERAL) {
      notes.add("datagrams are received without UDP_GRO");
    }
    return notes;
  }
}
