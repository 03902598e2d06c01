package io.isle.api.spin;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/** Sees a run. Memory is valid during the call. Calls come while a packet is the present one. */
@ConsumerType
public interface RunObserver {
  /** A handler has sent a frame. */
  default void sent(MemorySegment memory, long offset, int length) throws IOException {}

  /** The present packet matches no rules. */
  default void unmatched(MemorySegment memory, int length) throws IOException {}

  /** A handler has not returned. */
  default void trap(RunTrap trap) {}

  /**
   * A message has ended without its tail handler.
   *
   * @param message id
   * @param atEnd whether there are no more packets; else there was no room for the present one
   */
  default void aborted(long message, boolean atEnd) {}

  /** Handlers have printed: printable characters and newlines. */
  default void text(String text) {}

  /** What a region has at the end of the run; called once for each. */
  default void memory(MemoryRegion region, MemorySegment bytes) throws IOException {}
}
