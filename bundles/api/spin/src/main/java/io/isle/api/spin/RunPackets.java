package io.isle.api.spin;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/** The packets of a run, in their order. */
@ConsumerType
public interface RunPackets {
  /**
   * Moves to the next packet.
   *
   * @return false if there is none
   */
  boolean next() throws IOException;

  /** Begins with the packet; valid until {@link #next}. */
  MemorySegment memory();

  /** Bytes of the packet, 0 or more. */
  int length();
}
