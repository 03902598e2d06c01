package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverServices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Device memory: what is taken by whom, and where it lies. Control lane; the account of bytes is
 * guarded by this.
 */
final class SimHeap {
  private static final long PAGE = 4096;
  private static final long PAGE_2M = 2L << 20;
  private static final long PAGE_1G = 1L << 30;
  private static final int FLAGS = AllocArgs.PINNED | AllocArgs.CPU_VISIBLE | AllocArgs.COHERENT;

  private final long capacity;
  private final boolean copies;
  private final DriverServices core;
  private final IdTable<SimMemory> memory = new IdTable<>();
  private volatile long used;
  private volatile long retired;

  /**
   * @param copies whether work uses copies of memory that the CPU sees
   */
  SimHeap(long capacity, boolean copies, DriverServices core) {
    this.capacity = capacity;
    this.copies = copies;
    this.core = core;
  }

  IdTable<SimMemory> table() {
    return memory;
  }

  long used() {
    return used;
  }

  /** What there is of it: without pages that were retired, which can take all of it. */
  long total() {
    return Math.max(0, capacity - retired * SimPages.PAGE);
  }

  long retiredPages() {
    return retired;
  }

  synchronized void retirePage() {
    retired = retired + 1;
  }

  /** Counts bytes as used again, if there is room for them. */
  synchronized boolean takeRoom(long bytes) {
    if (bytes > total() - used) {
      return false;
    }
    used = used + bytes;
    return true;
  }

  synchronized void leaveRoom(long bytes) {
    used = used - bytes;
  }

  /**
   * A piece of memory.
   *
   * @throws DriverException ENOENT when there is none of this id
   */
  SimMemory find(long id) {
    SimMemory found = memory.get(id);
    if (found == null) {
      throw new DriverException(Errno.ENOENT, "no memory " + Long.toHexString(id));
    }
    return found;
  }

  Allocation allocate(SimContext context, long id, AllocArgs args) {
    check(id, args);
    long page = page(args);
    long size = args.size() > capacity ? args.size() : (args.size() + page - 1) / page * page;
    long limit = context.args.maxMemoryBytes();
    if (size > total() - used) {
      throw new DriverException(
          Errno.ENOMEM,
          "size: "
              + size
              + " bytes do not fit; "
              + (total() - used)
              + " of "
              + total()
              + " are free");
    }
    if (limit > 0 && size > limit - context.memoryBytes) {
      throw new DriverException(
          Errno.ENOMEM,
          "size: "
              + size
              + " bytes are beyond the context's limit of "
              + limit
              + ", "
              + context.memoryBytes
              + " are taken");
    }
    SimMemory made = make(context, id, size, Math.max(page, args.alignment()), args.flags());
    account(context, size);
    memory.put(id, made);
    boolean visible = (args.flags() & AllocArgs.CPU_VISIBLE) != 0;
    return new Allocation(size, visible ? Optional.of(made.bytes) : Optional.empty());
  }

  void free(long id) {
    SimMemory gone = find(id);
    if (!gone.tryFree()) {
      throw new DriverException(Errno.EBUSY, "memory: the memory is in use by work in flight");
    }
    release(gone);
  }

  /** Frees what a context still has; no work of it is in flight any more. */
  void freeAll(SimContext context) {
    for (SimMemory piece : memory.values()) {
      if (piece.context == context) {
        release(piece);
      }
    }
  }

  private void release(SimMemory gone) {
    memory.remove(gone.id);
    synchronized (this) {
      retired = retired + gone.faulty.cardinality();
      account(gone.context, -gone.bytes.byteSize());
      used = used + (long) gone.onCpu.cardinality() * SimPages.PAGE;
    }
    if (gone.isVisible()) {
      core.freeShared(gone.bytes);
    }
    if (gone.arena != null) {
      gone.arena.close();
    }
  }

  private synchronized void account(SimContext context, long bytes) {
    long now = used + bytes;
    used = now;
    context.memoryBytes += bytes;
  }

  private SimMemory make(SimContext context, long id, long size, long alignment, int flags) {
    boolean pinned = (flags & AllocArgs.PINNED) != 0;
    boolean visible = (flags & AllocArgs.CPU_VISIBLE) != 0;
    if (visible && !copies) {
      MemorySegment shared = core.allocShared(context.id, size, alignment);
      return new SimMemory(id, context, shared, null, null, pinned);
    }
    Arena arena = Arena.ofShared();
    boolean made = false;
    try {
      MemorySegment own = arena.allocate(size, alignment);
      MemorySegment bytes = visible ? core.allocShared(context.id, size, alignment) : own;
      made = true;
      return new SimMemory(id, context, bytes, visible ? own : null, arena, pinned);
    } catch (OutOfMemoryError e) {
      throw new DriverException(
          Errno.ENOMEM, "size: the host cannot allocate " + size + " bytes", e);
    } finally {
      if (!made) {
        arena.close();
      }
    }
  }

  private void check(long id, AllocArgs args) {
    if (id == 0 || memory.get(id) != null) {
      throw new DriverException(Errno.EEXIST, "memory: id " + id + " is taken or 0");
    }
    if (args.size() < 1) {
      throw new DriverException(Errno.EINVAL, "size: " + args.size() + " is below 1");
    }
    if (Long.bitCount(args.alignment()) != 1
        || args.alignment() < 1
        || args.alignment() > PAGE_1G) {
      throw new DriverException(
          Errno.EINVAL, "alignment: " + args.alignment() + " is not a power of two up to 2^30");
    }
    if ((args.flags() & ~FLAGS) != 0) {
      throw new DriverException(
          Errno.EINVAL, "flags: 0x" + Integer.toHexString(args.flags()) + " has unknown bits");
    }
  }

  private long page(AllocArgs args) {
    long page =
        switch (args.pageSize()) {
          case STANDARD -> PAGE;
          case HUGE_2M -> PAGE_2M;
          case HUGE_1G -> PAGE_1G;
          case DEVICE_OPTIMAL -> args.size() % PAGE_2M == 0 ? PAGE_2M : PAGE;
        };
    if (page > capacity && page > PAGE) {
      throw new DriverException(
          Errno.ENOTSUP, "page_size: " + args.pageSize() + " is beyond the device's memory");
    }
    return page;
  }
}
