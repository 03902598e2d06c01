package io.isle.fabric.udp;

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

  final int descriptor;
  private volatile List<String> buffers;
  private volatile int bufferBytes;
  private volatile int receiveBuffer;
  private final AtomicLong unreachable = new AtomicLong();
  private volatile int lastFailure;
  private volatile String bound = "";
  private volatile boolean cuts;
  private volatile boolean joins;
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
  static UdpSocket prepare(Datagrams calls, int descriptor, int family, int bufferBytes) {
    calls.set(descriptor, SocketOption.IP_MTU_DISCOVER, IP_PMTUDISC_DO);
    calls.set(descriptor, SocketOption.IP_RECVERR, 1);
    if (family == Sockets.AF_INET6) {
      calls.set(descriptor, SocketOption.IPV6_MTU_DISCOVER, IP_PMTUDISC_DO);
      calls.set(descriptor, SocketOption.IPV6_RECVERR, 1);
    }
    List<String> buffers = new SocketBuffers().enlarge(descriptor, bufferBytes, false);
    UdpSocket socket = new UdpSocket(descriptor, bufferBytes, buffers);
    int code = calls.set(descriptor, SocketOption.UDP_SEGMENT, UdpSettings.DATAGRAM);
    socket.cuts = code == 0;
    socket.uncut = code == 0 ? "" : SocketErrors.text(code);
    socket.joins = calls.set(descriptor, SocketOption.UDP_GRO, 1) == 0;
    return socket;
  }

  /** A socket that an earlier version of the transport has left. */
  static UdpSocket adopt(Datagrams calls, int descriptor, int bufferBytes, List<String> buffers) {
    UdpSocket socket = new UdpSocket(descriptor, bufferBytes, buffers);
    socket.cuts = calls.get(descriptor, SocketOption.UDP_SEGMENT) == UdpSettings.DATAGRAM;
    socket.uncut = socket.cuts ? "" : "switched off before";
    socket.joins = calls.set(descriptor, SocketOption.UDP_GRO, 1) == 0;
    return socket;
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
    return cuts;
  }

  /** Whether the kernel joins datagrams that arrive (UDP_GRO). */
  boolean joins() {
    return joins;
  }

  /** The kernel cuts no more, because a batch failed. */
  void sendUncut(Datagrams calls, int code) {
    cuts = false;
    uncut = SocketErrors.text(code);
    calls.set(descriptor, SocketOption.UDP_SEGMENT, 0);
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
    if (!cuts) {
      notes.add("datagrams are sent without UDP_SEGMENT: " + uncut);
    }
    if (!joins) {
      notes.add("datagrams are received without UDP_GRO");
    }
    return notes;
  }
}
