package com.example.jdemo;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** A memory object of the device. Submissions in flight hold it; a held object cannot be freed. */
final class DemoMemory {
  private static final int FREED = -1;

  final long id;
  final DemoContext context;
  final MemorySegment bytes;

  /** Bytes that count against limits. */
  final long charged;

  private final AtomicInteger holders = new AtomicInteger();

  DemoMemory(long id, DemoContext context, MemorySegment bytes, long charged) {
    this.id = id;
    this.context = context;
    this.bytes = bytes;
    this.charged = charged;
  }

  /** False if the memory is freed. */
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

  /** False while a submission holds the memory. */
  boolean retire() {
    return holders.compareAndSet(0, FREED);
  }
}
