package io.isle.benchmarks.ring;

import io.isle.api.fabric.Dialect;

/**
 * What two processes exchange.
 *
 * @param transport such as {@code tcp}
 * @param dialect protocol of both links
 * @param bytes of a packet
 * @param role of the other process: {@code echo}, a tenant that sends packets back, or {@code
 *     pass}, a worker with the stage of this name
 * @param window most packets under way
 */
record RingKind(String transport, Dialect dialect, int bytes, String role, int window) {
  private static final int USUAL = 64;

  static RingKind leap(String transport, int bytes) {
    return new RingKind(transport, Dialect.LEAP, bytes, "echo", USUAL);
  }

  static RingKind isle(String transport, int bytes) {
    return new RingKind(transport, Dialect.ISLE, bytes, "echo", USUAL);
  }

  /** The other process is a worker. */
  RingKind passed() {
    return new RingKind(transport, dialect, bytes, "pass", window);
  }

  /** At most so many packets are under way. */
  RingKind withWindow(int packets) {
    return new RingKind(transport, dialect, bytes, role, packets);
  }
}
