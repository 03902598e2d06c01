package io.isle.fabric.tcp;

/**
 * Measures how long a peer has answered neither data nor probes. A full window alone is no silence:
 * the kernel of the peer answers the probes of the window. One thread at a time.
 */
final class Silence {
  /** Silence that ends a connection, in nanoseconds. */
  static final long LIMIT_NS = 5_000_000_000L;

  private static final long MS = 1_000_000L;

  private boolean unanswered;
  private long since;

  /**
   * Adds an observation.
   *
   * @param sinceAcknowledgedMs milliseconds since the last acknowledgement; negative if unknown
   * @return the silence so far, in nanoseconds
   */
  long observe(long nowNs, int retransmits, int probes, long sinceAcknowledgedMs) {
    if (retransmits <= 0 && probes <= 0) {
      unanswered = false;
      return 0;
    }
    if (!unanswered) {
      unanswered = true;
      since = nowNs;
    } else if (sinceAcknowledgedMs >= 0 && sinceAcknowledgedMs < (nowNs - since) / MS) {
      // answered meanwhile, and unanswered again
      since = nowNs - sinceAcknowledgedMs * MS;
    }
    return nowNs - since;
  }
}
