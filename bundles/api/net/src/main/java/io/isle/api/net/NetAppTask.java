package io.isle.api.net;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * An app at work on one port: a state machine without threads and clocks. One thread at a time, but
 * for {@link #counters} and {@link #failure}.
 */
@ConsumerType
public interface NetAppTask extends AutoCloseable {
  /**
   * Runs one duty cycle: takes and sends a bounded number of frames. Allocates nothing and never
   * waits for frames.
   *
   * @param nowNs time of {@link System#nanoTime} in nanoseconds
   * @return frames that were taken or sent; 0 without work; -ECLOSED when the task has ended: its
   *     work is done, its port has ended, or {@link #failure} tells the reason
   */
  int cycle(long nowNs);

  /**
   * When the next cycle is due at the latest although no frame arrives, by the clock of {@link
   * #cycle}; {@link Long#MAX_VALUE} if nothing is due. Valid until the next cycle.
   */
  default long deadlineNs() {
    return Long.MAX_VALUE;
  }

  /** Counters by name, in a fixed order; any thread. */
  Map<String, Long> counters();

  /** Why the task has failed; empty while it has not. Any thread. */
  default String failure() {
    return "";
  }

  /** Ends the task and leaves the port open. Idempotent. */
  @Override
  void close();
}
