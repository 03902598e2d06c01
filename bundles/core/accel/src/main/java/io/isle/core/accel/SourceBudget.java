package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;

/** Bytes of program sources that the core keeps. Thread-safe. */
final class SourceBudget {
  /** Of all contexts of the node. */
  static final long NODE_BYTES = 256L << 20;

  /** Of one context. */
  static final long CONTEXT_BYTES = 16L << 20;

  private final String whose;
  private final long capacity;
  private long used;

  /**
   * @param whose for the message when they are too many
   */
  SourceBudget(String whose, long capacity) {
    this.whose = whose;
    this.capacity = capacity;
  }

  /**
   * @throws AccelException ENOSPC
   */
  synchronized void take(long bytes) {
    if (bytes > capacity - used) {
      throw new AccelException(
          Errno.ENOSPC,
          "source: "
              + bytes
              + " bytes more are too many; the programs of "
              + whose
              + " have "
              + used
              + " of "
              + capacity
              + " bytes; close some first");
    }
    used += bytes;
  }

  synchronized void give(long bytes) {
    used -= bytes;
  }
}
