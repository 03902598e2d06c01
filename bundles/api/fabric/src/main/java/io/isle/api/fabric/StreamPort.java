package io.isle.api.fabric;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/** A port of a transport that carries bytes in order, such as TCP. */
@ConsumerType
public non-sealed interface StreamPort extends RingPort {
  /**
   * Writes bytes to the neighbour.
   *
   * @param more whether further bytes of the same packet follow at once
   * @return written bytes, possibly fewer than {@code length}; -EAGAIN without room; -ENOTCONN
   *     without a neighbour
   */
  long write(MemorySegment from, long offset, long length, boolean more);

  /**
   * Reads bytes of the neighbour.
   *
   * @return read bytes, possibly fewer than {@code length}; -EAGAIN without bytes; -ENOTCONN
   *     without a neighbour, and once all bytes of a path that ended are read
   */
  long read(MemorySegment into, long offset, long length);
}
