package io.isle.api.accel;

import org.osgi.annotation.versioning.ProviderType;

/** Device memory, apart from the rights to it; counted, freed with its last buffer. */
@ProviderType
public interface MemoryObject {
  /** State of the contents. */
  enum Contents {
    VALID,
    /** The device was lost; reads give ENODATA until written again. */
    LOST
  }

  long size();

  Contents contents();

  /** Buffers that refer to it. */
  int references();
}
