package io.isle.lib.drive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The payloads of packets, one after the other. Used by one thread. */
public interface Payloads {
  /** Number of payloads; {@link Long#MAX_VALUE} if the end is not known. */
  long count();

  /**
   * Goes on to the next payload; may wait for it.
   *
   * @return false behind the last payload
   */
  boolean next() throws IOException, InterruptedException;

  /** Memory with the payload at {@link #offset}, as long as every payload, until {@link #next}. */
  MemorySegment memory();

  /** Where the payload begins. */
  long offset();
}
