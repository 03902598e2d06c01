package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.Map;
import java.util.TreeMap;

/** Hands out ranges of a device's command segment to its contexts; first fit. Thread-safe. */
public final class CommandArena {
  private static final long ALIGNMENT = 64;

  private final TreeMap<Long, Long> free = new TreeMap<>();

  public CommandArena(long size) {
    free.put(0L, size);
  }

  /**
   * Takes a range.
   *
   * @return its offset, a multiple of 64
   * @throws AccelException ENOSPC
   */
  public synchronized long take(long bytes) {
    long needed = rounded(bytes);
    for (Map.Entry<Long, Long> range : free.entrySet()) {
      if (range.getValue() >= needed) {
        long offset = range.getKey();
        long rest = range.getValue() - needed;
        free.remove(offset);
        if (rest > 0) {
          free.put(offset + needed, rest);
        }
        return offset;
      }
    }
    throw new AccelException(
        Errno.ENOSPC,
        "queueDepth x commandBytes: no room for "
            + bytes
            + " bytes of commands; choose smaller values, or close contexts of the device");
  }

  /** Gives back what {@link #take} returned for the same size. */
  public synchronized void give(long offset, long bytes) {
    long start = offset;
    long size = rounded(bytes);
    Map.Entry<Long, Long> before = free.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == offset) {
      start = before.getKey();
      size += before.getValue();
    }
    Long after = free.remove(offset + rounded(bytes));
    free.put(start, size + (after == null ? 0 : after));
  }

  private static long rounded(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
