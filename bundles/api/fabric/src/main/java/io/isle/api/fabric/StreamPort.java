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

  /**
   * Sets how many unread bytes make the path {@link #READABLE}: fewer are no event. The end of the
   * path is an event at any number. Each path begins with 1, and goes on with 1 after {@link
   * #park}. A port that cannot tell keeps to 1.
   *
   * @param bytes 1 or more
   */
  default void readableFrom(int bytes) {}
}
