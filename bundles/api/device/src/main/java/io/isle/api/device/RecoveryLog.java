package io.isle.api.device;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The newest recoveries of this node's devices, at least 256 a device. Thread-safe; snapshots. */
@ProviderType
public interface RecoveryLog {
  /** Oldest first. */
  List<Recovery> of(String device);

  /** Of all devices, by start. */
  List<Recovery> all();
}
