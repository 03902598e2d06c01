package io.isle.core.drivers.nativecode.host;

import io.isle.api.driver.DevicePort;
import java.util.function.LongSupplier;

/**
 * How often a process woke the agent for nothing, against the completions that explain it. A ring
 * that the agent gets to see only after it took the completion is normal, and so is one that comes
 * before a completion can be taken because an earlier one is still being written. Of a process that
 * rings once for each completion none of this ever adds up to a breach. The agent's thread only;
 * allocates nothing.
 */
public final class SpuriousWakes {
  /** Completions explain what comes within it, those that lie there unread among them. */
  static final long WINDOW_NS = 10_000_000_000L;

  /** See {@link DevicePort.Bell#wakes}: one ring can be noticed twice. */
  private static final int WAKES_OF_A_RING = 2;

  /** As many completions may be published and not be taken yet. */
  public static final int ALLOWED = WAKES_OF_A_RING * DevicePort.MAX_INFLIGHT;

  /** Most threads of a host, each of which may have published and not rung yet. */
  private static final int THREADS = 4096;

  /** So much is explained by completions that were taken earlier. */
  static final int MOST = ALLOWED + WAKES_OF_A_RING * THREADS;

  private final LongSupplier clock;
  private long seen;
  private int explained = ALLOWED;
  private int spurious;
  private long windowNs;

  SpuriousWakes(LongSupplier clock) {
    this.clock = clock;
    this.windowNs = clock.getAsLong();
  }

  /**
   * The agent polled the process.
   *
   * @param wakes of the agent by the process so far
   * @param taken completions that there were
   * @return whether it is a breach
   */
  boolean onPoll(long wakes, int taken) {
    if (taken > 0) {
      explained = (int) Math.min(MOST, explained + (long) WAKES_OF_A_RING * taken);
      seen = wakes;
      return false;
    }
    long more = wakes - seen;
    if (more == 0) {
      return false;
    }
    seen = wakes;
    long now = clock.getAsLong();
    if (now - windowNs > WINDOW_NS) {
      windowNs = now;
      spurious = 0;
      explained = Math.max(explained, ALLOWED);
    }
    spurious = (int) Math.min(Integer.MAX_VALUE, spurious + more);
    explained = (int) Math.max(-1, explained - more);
    return explained < 0;
  }

  /** Those of the window that ends now. */
  int inWindow() {
    return spurious;
  }
}
