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
 */
record RingKind(String transport, Dialect dialect, int bytes, String role) {
  static RingKind leap(String transport, int bytes) {
    return new RingKind(transport, Dialect.LEAP, bytes, "echo");
  }

  static RingKind isle(String transport, int bytes) {
    return new RingKind(transport, Dialect.ISLE, bytes, "echo");
  }

  /** The other process is a worker. */
  RingKind passed() {
    return new RingKind(transport, dialect, bytes, "pass");
  }
}
