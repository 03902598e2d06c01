package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;

/** Bytes that the core has for copies of a context's retained memory. Thread-safe. */
public final class RetainedBytes {
  private long used;

  /**
   * Counts bytes before they are there.
   *
   * @param most what the device has of memory
   * @throws AccelException ENOMEM when all together would be more than that
   */
  public synchronized void take(long bytes, long most) {
    if (bytes > 0 && bytes > most - used) {
      throw new AccelException(
          Errno.ENOMEM,
          "flags: RETAINED: "
              + bytes
              + " bytes more would exceed "
              + most
              + ", the size of the device's memory, which limits the retained copies of a context ("
              + used
              + " bytes are in use); free retained buffers, or allocate without RETAINED");
    }
    used += bytes;
  }

  /** Gives back what {@link #take} took. */
  public synchronized void give(long bytes) {
    used -= bytes;
  }
}
