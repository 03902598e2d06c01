package io.isle.lib.drive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Receives replies. Used by one thread. */
@FunctionalInterface
public interface Replies {
  /**
   * A reply has arrived.
   *
   * @param index of its packet, from 0
   * @param packet the reply with its header; changes after the call
   * @param offset begin of the payload
   */
  void reply(long index, MemorySegment packet, long offset) throws IOException;
}
