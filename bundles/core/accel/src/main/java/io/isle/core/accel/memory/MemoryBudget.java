package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.group.MemoryLedger;

/**
 * Bytes of device memory that a context has, against its limit and those of its groups.
 * Thread-safe.
 */
public final class MemoryBudget {
  private final long limit;
  private final MemoryLedger ledger;
  private final String group;
  private final String device;
  private long used;
  private long peak;
  private boolean ended;

  /**
   * @param limit in bytes, 0 for none
   */
  public MemoryBudget(long limit, MemoryLedger ledger, String group, String device) {
    this.limit = limit;
    this.ledger = ledger;
    this.group = group;
    this.device = device;
  }

  public synchronized long used() {
    return used;
  }

  /** Most bytes at a time. */
  public synchronized long peak() {
    return peak;
  }

  /**
   * @throws AccelException ENOMEM
   */
  public synchronized void take(long bytes) {
    if (ended) {
      // whoever asked finds the context gone before it has the memory
      return;
    }
    if (limit != 0 && bytes > limit - used) {
      throw new AccelException(
          Errno.ENOMEM,
          "bytes: "
              + bytes
              + " more would exceed the context's limit of "
              + limit
              + " ("
              + used
              + " bytes are in use); free buffers or raise maxMemoryBytes");
    }
    try {
      ledger.take(group, device, bytes);
    } catch (TenancyException e) {
      throw new AccelException(e.code(), e.getMessage(), e);
    }
    used += bytes;
    peak = Math.max(peak, used);
  }

  /** Gives back what {@link #take} took; nothing once all went with {@link #end}. */
  public synchronized void give(long bytes) {
    if (!ended) {
      used -= bytes;
      ledger.give(group, device, bytes);
    }
  }

  /** All of it is gone with the context or its device, and nothing more is taken. Idempotent. */
  public synchronized void end() {
    if (!ended) {
      ledger.give(group, device, used);
      used = 0;
      ended = true;
    }
  }
}
