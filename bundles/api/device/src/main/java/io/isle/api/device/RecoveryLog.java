package io.isle.api.device;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The newest recoveries of this node's devices, at least 256 a device. Results are snapshots.
 * Thread-safe.
 */
@ProviderType
public interface RecoveryLog {
  /** The recoveries of one device, oldest first. */
  List<Recovery> of(String device);

  /** The recoveries of all devices, by start. */
  List<Recovery> all();

  /**
   * Waits for a recovery of a device.
   *
   * @param after number of the newest known recovery; 0 for none
   * @param limit longest wait
   * @return the oldest kept recovery with a greater number; empty if no recovery ended within
   *     {@code limit}, or if this service stops
   * @throws InterruptedException if the thread is interrupted
   */
  Optional<Recovery> await(String device, long after, Duration limit) throws InterruptedException;
}
