package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Device memory, independent of access rights. The memory is freed with its last buffer.
 * Thread-safe.
 */
@ProviderType
public interface MemoryObject {
  /** State of the contents. */
  enum Contents {
    /** The contents are intact. */
    VALID,
    /** The contents were lost with the driver; reads fail with ENODATA until the next write. */
    LOST
  }

  /** Size in bytes. */
  long size();

  /** State of the contents. */
  Contents contents();

  /** Number of buffers of this memory. */
  int references();
}
