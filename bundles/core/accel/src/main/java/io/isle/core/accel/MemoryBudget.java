package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;

/** Bytes of device memory that a context has, against its limit. Thread-safe. */
final class MemoryBudget {
  private final long limit;
  private long used;

  /**
   * @param limit in bytes, 0 for none
   */
  MemoryBudget(long limit) {
    this.limit = limit;
  }

  synchronized long used() {
    return used;
  }

  /**
   * @throws AccelException ENOMEM
   */
  synchronized void take(long bytes) {
    if (limit != 0 && bytes > limit - used) {
      throw new AccelException(
          Errno.ENOMEM,
          "bytes: "
              + bytes
              + " more would exceed the context's limit of "
              + limit
              + " ("
              + used
              + " are taken); free buffers or raise maxMemoryBytes");
    }
    used += bytes;
  }

  synchronized void give(long bytes) {
    used -= bytes;
  }
}
