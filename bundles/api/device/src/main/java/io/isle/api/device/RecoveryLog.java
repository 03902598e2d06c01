package io.isle.api.device;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The newest recoveries of this node's devices, at least 256 a device. Thread-safe; snapshots. */
@ProviderType
public interface RecoveryLog {
  /** Oldest first. */
  List<Recovery> of(String device);

  /** Of all devices, by start. */
  List<Recovery> all();

  /**
   * Waits for a device to recover.
   *
   * @param after number of the newest recovery that is known; 0 for none
   * @return the oldest kept recovery with a greater number; empty when none ended within {@code
   *     limit}, or when this service ends
   */
  Optional<Recovery> await(String device, long after, Duration limit) throws InterruptedException;
}
