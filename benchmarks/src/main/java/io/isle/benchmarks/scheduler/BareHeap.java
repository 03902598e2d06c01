package io.isle.benchmarks.scheduler;

import io.isle.core.accel.sched.IndexedHeap;

/** Earliest deadline first and nothing else: look at the top, give it a later deadline. */
final class BareHeap {
  private final IndexedHeap heap;
  private final long[] times = Decisions.times();
  private final long contexts;

  BareHeap(int contexts) {
    this.contexts = contexts;
    heap = new IndexedHeap(contexts);
    for (int c = 0; c < contexts; c++) {
      heap.insert(c, times[c % times.length] * contexts);
    }
  }

  /** Returns what depends on all of it. */
  long run(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int c = heap.top();
      heap.update(c, heap.topKey() + times[i & times.length - 1] * contexts);
      sum += c;
    }
    return sum;
  }
}
