package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The shared heap segments of a device's contexts. A heap whose memory a thread is using in a
 * system call cannot be unmapped at once; it is kept and tried again. For the control lane; one
 * that comes after the end of the device finds no device. Thread-safe.
 */
final class Heaps implements AutoCloseable {
  private static final int FIRST_SEGMENT = 16;
  private static final int CLOSE_TRIES = 1000;

  private final Map<Long, Heap> byContext = new HashMap<>();
  private final Deque<Arena> leftovers = new ArrayDeque<>();
  private int next = FIRST_SEGMENT;
  private boolean closed;

  /** A context's heap: the number of its segment, its file until it was passed on, its memory. */
  record Heap(int segment, MemoryFile file, Arena arena, MemorySegment memory) {}

  /**
   * Makes a context's heap.
   *
   * @throws DriverException ENODEV after the end; ENOMEM and others of the kernel's; then nothing
   *     of it is left
   */
  synchronized Heap create(long context, long bytes) {
    checkOpen();
    var ignored = retry();
    Arena arena = Arena.ofShared();
    MemoryFile file = null;
    Heap heap = null;
    try {
      file = MemoryFile.create("isle-heap", bytes);
      MemorySegment memory = file.map(arena);
      file.seal(false);
      heap = new Heap(next++, file, arena, memory);
      byContext.put(context, heap);
      return heap;
    } catch (PosixException e) {
      throw new DriverException(
          e.code(), "no heap of " + bytes + " bytes for the context: " + e.getMessage(), e);
    } finally {
      if (heap == null) {
        arena.close();
        if (file != null) {
          file.close();
        }
      }
    }
  }

  /**
   * A context's heap.
   *
   * @throws DriverException ENODEV after the end, ENOENT
   */
  synchronized Heap of(long context) {
    checkOpen();
    Heap heap = byContext.get(context);
    if (heap == null) {
      throw new DriverException(Errno.ENOENT, "no such context");
    }
    return heap;
  }

  private void checkOpen() {
    if (closed) {
      throw new DriverException(Errno.ENODEV, "the driver has given the device back");
    }
  }

  synchronized void remove(long context) {
    Heap heap = byContext.remove(context);
    if (heap != null) {
      heap.file.close();
      leftovers.add(heap.arena);
    }
    var ignored = retry();
  }

  private synchronized boolean retry() {
    for (Iterator<Arena> arenas = leftovers.iterator(); arenas.hasNext(); ) {
      try {
        arenas.next().close();
        arenas.remove();
      } catch (IllegalStateException e) {
        // in use by a call in progress; the next control call tries again
        continue;
      }
    }
    return leftovers.isEmpty();
  }

  /** Unmaps everything; waits for calls in progress, at most a second. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      byContext.values().forEach(heap -> heap.file.close());
      byContext.values().forEach(heap -> leftovers.add(heap.arena));
      byContext.clear();
    }
    for (int i = 0; i < CLOSE_TRIES && !retry(); i++) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
