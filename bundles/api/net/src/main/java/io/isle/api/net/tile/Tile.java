package io.isle.api.net.tile;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A state machine that moves frames between the rings of the kernel and the links of apps. Without
 * threads, clock and I/O but for {@link TileCalls}. One thread at a time.
 */
@ProviderType
public interface Tile extends AutoCloseable {
  /**
   * Runs one duty cycle. Allocates nothing and never waits.
   *
   * @param nowNs time of a monotonic clock in nanoseconds
   * @return frames that were received, sent or completed; 0 without work; -ECLOSED behind {@link
   *     #close}
   */
  int cycle(long nowNs);

  /**
   * When the next cycle is due at the latest although no frame arrives, by the clock of {@link
   * #cycle}; {@link Long#MAX_VALUE} if nothing is due. Valid until the next cycle.
   */
  long deadlineNs();

  /**
   * Hands over what is written, and ends the tile. Frames stay where they are; another tile may be
   * opened. Without this call, as behind a kill, nothing is lost either.
   */
  @Override
  void close();
}
