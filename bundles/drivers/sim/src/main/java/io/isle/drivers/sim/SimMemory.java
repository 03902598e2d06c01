package io.isle.drivers.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** A piece of device memory. Held by submissions in flight; freed only when none holds it. */
final class SimMemory {
  private static final int FREED = Integer.MIN_VALUE / 2;

  final long id;
  final SimContext context;
  final MemorySegment bytes;

  /** Where it lies if the CPU cannot see it; null if the core owns it. */
  final Arena arena;

  private final AtomicInteger holders = new AtomicInteger();

  SimMemory(long id, SimContext context, MemorySegment bytes, Arena arena) {
    this.id = id;
    this.context = context;
    this.bytes = bytes;
    this.arena = arena;
  }

  /** Wait-free: counts a submission in, unless the memory is being freed. */
  boolean hold() {
    if (holders.incrementAndGet() > 0) {
      return true;
    }
    holders.decrementAndGet();
    return false;
  }

  void release() {
    holders.decrementAndGet();
  }

  /** No submission holds it from now on; false if one does. */
  boolean tryFree() {
    return holders.compareAndSet(0, FREED);
  }
}
