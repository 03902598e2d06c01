package io.isle.fabric.shm;

import io.isle.api.fabric.RingPort;
import java.util.ArrayList;
import java.util.List;

/**
 * Accepted connections that have offered nothing so far, at most eight. A node offers its segment
 * at once, so the silent are closed after two seconds. One thread at a time.
 */
final class Newcomers {
  /** Most connections. */
  static final int MOST = 8;

  /** Longest silence, in nanoseconds. */
  static final long PATIENCE_NS = 2_000_000_000L;

  private record Newcomer(int socket, long acceptedNs) {}

  private final ShmKernel kernel;
  private final List<Newcomer> waiting = new ArrayList<>(MOST);

  Newcomers(ShmKernel kernel) {
    this.kernel = kernel;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  int socket(int index) {
    return waiting.get(index).socket;
  }

  /** Adds a connection; false, without a change, if there is no room. */
  boolean add(int socket, long nowNs) {
    return waiting.size() < MOST && waiting.add(new Newcomer(socket, nowNs));
  }

  /** Forgets a connection. */
  void remove(int index) {
    waiting.remove(index);
  }

  /** Closes the connections that were silent for too long; returns their number. */
  int dropSilent(long nowNs) {
    int dropped = 0;
    while (!waiting.isEmpty() && nowNs - waiting.getFirst().acceptedNs >= PATIENCE_NS) {
      kernel.close(waiting.removeFirst().socket);
      dropped++;
    }
    return dropped;
  }

  /** Closes all; returns their number. */
  int drop() {
    int count = waiting.size();
    for (int i = 0; i < count; i++) {
      kernel.close(waiting.get(i).socket);
    }
    waiting.clear();
    return count;
  }

  void interests(RingPort.Interests events) {
    for (int i = 0; i < waiting.size(); i++) {
      events.add(waiting.get(i).socket, RingPort.READABLE);
    }
  }
}
