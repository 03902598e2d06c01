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
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * The shared heap segments of a device's contexts. A heap whose memory a thread is using in a
 * system call cannot be unmapped at once; it is kept and tried again. The segment of an ended
 * context waits for the next one: pages that both sides have mapped already cost nothing, others
 * more than the work of many jobs. For the control lane; one that comes after the end of the device
 * finds no device. Thread-safe.
 */
final class Heaps implements AutoCloseable {
  private static final int FIRST_SEGMENT = 16;
  private static final int CLOSE_TRIES = 1000;

  private final Map<Long, Heap> byContext = new HashMap<>();
  private final Deque<Heap> leftovers = new ArrayDeque<>();

  /** Of the context that ended last, mapped here and by the driver; null for none. */
  private Segment idle;

  private int next = FIRST_SEGMENT;
  private boolean closed;

  /**
   * A segment.
   *
   * @param file until it was passed on
   * @param mapped lifetime of the mapping
   */
  private record Segment(int number, MemoryFile file, Arena mapped, MemorySegment all) {}

  /** A context's heap. Its memory can be used until the context ends, whoever has the segment. */
  record Heap(Segment of, boolean isNew, Arena arena, MemorySegment memory) {
    /** Number of its segment. */
    int segment() {
      return of.number;
    }

    MemoryFile file() {
      return of.file;
    }
  }

  /**
   * Makes a context's heap, in the idle segment if that has the same size.
   *
   * @throws DriverException ENODEV after the end; ENOMEM and others of the kernel's; then nothing
   *     of it is left
   */
  synchronized Heap create(long context, long bytes) {
    checkOpen();
    var ignored = retry();
    boolean isNew = idle == null || idle.all.byteSize() != bytes;
    Segment segment = isNew ? make(bytes) : idle;
    idle = isNew ? idle : null;
    Heap heap = lend(segment, isNew);
    byContext.put(context, heap);
    return heap;
  }

  @SuppressWarnings("restricted")
  private static Heap lend(Segment segment, boolean isNew) {
    Arena arena = Arena.ofShared();
    MemorySegment memory =
        MemorySegment.ofAddress(segment.all.address())
            .reinterpret(segment.all.byteSize(), arena, null);
    return new Heap(segment, isNew, arena, memory);
  }

  private Segment make(long bytes) {
    Arena arena = Arena.ofShared();
    MemoryFile file = null;
    Segment segment = null;
    try {
      file = MemoryFile.create("isle-heap", bytes);
      MemorySegment memory = file.map(arena);
      file.seal(false);
      segment = new Segment(next++, file, arena, memory);
      return segment;
    } catch (PosixException e) {
      throw new DriverException(
          e.code(), "no heap of " + bytes + " bytes for the context: " + e.getMessage(), e);
    } finally {
      if (segment == null) {
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

  /**
   * A context has ended on the device, which left only zeros: its segment may be the next one's.
   *
   * @return false when it is in use or another one is idle: then it is to be removed
   */
  synchronized boolean keep(long context) {
    Heap heap = byContext.get(context);
    if (closed || heap == null || idle != null || !isClosed(heap.arena)) {
      return false;
    }
    var ignored = byContext.remove(context);
    idle = heap.of;
    return true;
  }

  /** The idle segment, if it has another size: it is to be removed. */
  synchronized OptionalInt misfit(long bytes) {
    boolean fits = idle == null || idle.all.byteSize() == bytes;
    return fits ? OptionalInt.empty() : OptionalInt.of(idle.number);
  }

  /** Unmaps the idle segment. */
  synchronized void removeIdle() {
    if (idle != null) {
      idle.mapped.close();
      idle = null;
    }
  }

  synchronized void remove(long context) {
    Heap heap = byContext.remove(context);
    if (heap != null) {
      leave(heap);
    }
    var ignored = retry();
  }

  private void leave(Heap heap) {
    heap.file().close();
    leftovers.add(heap);
  }

  /** Whether nobody uses the memory any more. */
  private static boolean isClosed(Arena arena) {
    if (arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        // in use by a call in progress
        return false;
      }
    }
    return true;
  }

  private synchronized boolean retry() {
    for (Iterator<Heap> heaps = leftovers.iterator(); heaps.hasNext(); ) {
      Heap heap = heaps.next();
      // else the next control call tries again
      if (isClosed(heap.arena)) {
        heap.of.mapped.close();
        heaps.remove();
      }
    }
    return leftovers.isEmpty();
  }

  /** Unmaps everything; waits for calls in progress, at most a second. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      byContext.values().forEach(this::leave);
      byContext.clear();
      removeIdle();
    }
    for (int i = 0; i < CLOSE_TRIES && !retry(); i++) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
