package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory of a device that several processes allocate from, each of which knows of its own
 * alone. Thread-safe.
 */
final class MemoryLedger {
  private final long most;
  private final Map<Long, Entry> byMemory = new HashMap<>();
  private long used;

  private record Entry(Object process, long context, long bytes) {}

  /**
   * @param most bytes of all together
   */
  MemoryLedger(long most) {
    this.most = most;
  }

  /**
   * Before an allocation.
   *
   * @throws DriverException ENOMEM when the device as a whole has no room
   */
  synchronized void take(Object process, long context, long memory, long bytes) {
    if (bytes > most - used) {
      throw new DriverException(
          Errno.ENOMEM,
          "size: "
              + bytes
              + " bytes do not fit; of the device's "
              + most
              + " bytes all groups"
              + " together use "
              + used);
    }
    used += bytes;
    Entry before = byMemory.put(memory, new Entry(process, context, bytes));
    if (before != null) {
      used -= before.bytes;
    }
  }

  /**
   * It has become another size.
   *
   * @param bytes what the core believes of what a process said
   */
  synchronized void settle(long memory, long bytes) {
    Entry entry = byMemory.get(memory);
    if (entry != null) {
      used += bytes - entry.bytes;
      byMemory.put(memory, new Entry(entry.process, entry.context, bytes));
    }
  }

  synchronized void give(long memory) {
    Entry entry = byMemory.remove(memory);
    used -= entry == null ? 0 : entry.bytes;
  }

  /** All of a context went with it. */
  synchronized void drop(Object process, long context) {
    byMemory
        .values()
        .removeIf(entry -> gone(entry.process == process && entry.context == context, entry));
  }

  /** All of a process went with it. */
  synchronized void drop(Object process) {
    byMemory.values().removeIf(entry -> gone(entry.process == process, entry));
  }

  private boolean gone(boolean is, Entry entry) {
    used -= is ? entry.bytes : 0;
    return is;
  }

  synchronized long used() {
    return used;
  }
}
