package io.isle.fabric.tcp;

import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.TcpInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Accepted connections of which none is the predecessor so far, at most eight, oldest first. A
 * connection that closes without a byte leaves. With eight, a newcomer takes the place of the
 * longest silent one but the first, after five seconds: a predecessor that has waited since before
 * a scan keeps its place, and connections that are only held cannot keep a predecessor out. One
 * thread at a time.
 */
final class Candidates {
  /** Most connections. */
  static final int MOST = 8;

  /** Silence that a newcomer must accept, in nanoseconds. */
  static final long PATIENCE_NS = 5_000_000_000L;

  private record Candidate(int descriptor, long acceptedNs) {}

  private final TcpKernel kernel;
  private final List<Candidate> waiting = new ArrayList<>(MOST);

  Candidates(TcpKernel kernel) {
    this.kernel = kernel;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Adds a connection.
   *
   * @return connections that were closed for want of room: 0 or 1
   */
  int add(int descriptor, long nowNs) {
    Candidate newcomer = new Candidate(descriptor, nowNs);
    if (waiting.size() < MOST) {
      waiting.add(newcomer);
      return 0;
    }
    Candidate old = waiting.get(1);
    boolean takes = nowNs - old.acceptedNs >= PATIENCE_NS && !hasSent(old);
    Candidate loser = takes ? old : newcomer;
    if (takes) {
      waiting.remove(1);
      waiting.add(newcomer);
    }
    if (!takes && hasSent(newcomer) && waiting.stream().noneMatch(this::hasSent)) {
      loser = waiting.removeLast();
      waiting.add(newcomer);
    }
    kernel.close(loser.descriptor);
    return 1;
  }

  /**
   * Closes connections that ended without a byte, and, while the predecessor is connected, those
   * that sent.
   *
   * @return number of closed connections
   */
  int sweep(boolean connected) {
    int closed = 0;
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Candidate candidate = waiting.get(i);
      if (hasSent(candidate) ? connected : hasEnded(candidate)) {
        kernel.close(candidate.descriptor);
        waiting.remove(i);
        closed++;
      }
    }
    return closed;
  }

  /**
   * Takes out the oldest connection that has sent a byte.
   *
   * @return its descriptor, or -1
   */
  int takeSender() {
    for (int i = 0; i < waiting.size(); i++) {
      if (hasSent(waiting.get(i))) {
        return waiting.remove(i).descriptor;
      }
    }
    return -1;
  }

  /** Those that have sent wait for the end of a path, not for an event. */
  void interests(RingPort.Interests events) {
    for (int i = 0; i < waiting.size(); i++) {
      if (!hasSent(waiting.get(i))) {
        events.add(waiting.get(i).descriptor, RingPort.READABLE);
      }
    }
  }

  void collect(TcpParking parking) {
    for (Candidate candidate : waiting) {
      parking.add(TcpParking.SILENT, candidate.descriptor);
    }
  }

  void release(boolean close) {
    if (close) {
      waiting.forEach(candidate -> kernel.close(candidate.descriptor));
    }
    waiting.clear();
  }

  private boolean hasSent(Candidate candidate) {
    return kernel.sockets.unread(candidate.descriptor) > 0;
  }

  private boolean hasEnded(Candidate candidate) {
    boolean ended =
        kernel.vitals.read(candidate.descriptor) != 0
            || kernel.vitals.state() != TcpInfo.TCP_ESTABLISHED;
    // a byte may have come just before the end
    return ended && !hasSent(candidate);
  }
}
