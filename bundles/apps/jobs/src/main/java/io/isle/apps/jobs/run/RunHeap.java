package io.isle.apps.jobs.run;

import java.util.List;

/** The runs of a merge by their next keys, the smallest first. Used by one thread. */
final class RunHeap {
  private final RunFile.Reader[] heap;
  private int size;

  RunHeap(List<RunFile.Reader> readers) throws InterruptedException {
    heap = new RunFile.Reader[readers.size()];
    for (RunFile.Reader reader : readers) {
      if (reader.next()) {
        heap[size++] = reader;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Takes the smallest key. */
  long take() throws InterruptedException {
    RunFile.Reader first = heap[0];
    long key = first.key();
    if (!first.next()) {
      heap[0] = heap[--size];
    }
    sink(0);
    return key;
  }

  private void sink(int from) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        return;
      }
      if (child + 1 < size && less(child + 1, child)) {
        child++;
      }
      if (!less(child, at)) {
        return;
      }
      RunFile.Reader moved = heap[at];
      heap[at] = heap[child];
      heap[child] = moved;
      at = child;
    }
  }

  private boolean less(int a, int b) {
    return Long.compareUnsigned(heap[a].key(), heap[b].key()) < 0;
  }
}
