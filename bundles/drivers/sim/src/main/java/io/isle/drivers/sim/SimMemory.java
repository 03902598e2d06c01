package io.isle.drivers.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/** A piece of device memory. Held by submissions in flight; freed only when none holds it. */
final class SimMemory {
  private static final int FREED = Integer.MIN_VALUE / 2;

  final long id;
  final SimContext context;
  final MemorySegment bytes;

  /** The device's copy, which work uses; null if work uses the memory itself. */
  final MemorySegment copy;

  /** Of what the core does not own; null if there is no such part. */
  final Arena arena;

  /** The core asked that it stay where it is. */
  final boolean pinned;

  /** Pages with an uncorrectable error, and pages on the CPU's side; guarded by the heap. */
  final BitSet faulty = new BitSet();

  final BitSet onCpu = new BitSet();

  /** A bit of the two was ever set. */
  volatile boolean marked;

  private final AtomicInteger holders = new AtomicInteger();

  SimMemory(
      long id,
      SimContext context,
      MemorySegment bytes,
      MemorySegment copy,
      Arena arena,
      boolean pinned) {
    this.id = id;
    this.context = context;
    this.bytes = bytes;
    this.copy = copy;
    this.arena = arena;
    this.pinned = pinned;
  }

  /** Whether the CPU sees it, so that the core owns its bytes. */
  boolean isVisible() {
    return arena == null || copy != null;
  }

  /** What work reads and writes. */
  MemorySegment worked() {
    return copy == null ? bytes : copy;
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
