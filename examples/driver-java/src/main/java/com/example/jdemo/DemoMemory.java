package com.example.jdemo;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** A piece of device memory. Held by submissions in flight; freed only when none holds it. */
final class DemoMemory {
  private static final int FREED = -1;

  final long id;
  final DemoContext context;
  final MemorySegment bytes;

  /** What it counts against limits. */
  final long charged;

  private final AtomicInteger holders = new AtomicInteger();

  DemoMemory(long id, DemoContext context, MemorySegment bytes, long charged) {
    this.id = id;
    this.context = context;
    this.bytes = bytes;
    this.charged = charged;
  }

  /** False once it is freed. */
  boolean hold() {
    int now = holders.get();
    while (now != FREED && !holders.compareAndSet(now, now + 1)) {
      now = holders.get();
    }
    return now != FREED;
  }

  void release() {
    holders.decrementAndGet();
  }

  /** False while somebody holds it. */
  boolean retire() {
    return holders.compareAndSet(0, FREED);
  }
}
