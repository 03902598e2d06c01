package io.isle.sim;

import java.util.Arrays;

/**
 * The events of a simulation by their times; those of one time in the order in which they were set.
 */
final class EventQueue {
  static final long NEVER = Long.MAX_VALUE;

  /** Something that may happen, once a time. */
  static final class Timer {
    private final Runnable action;
    private long at = NEVER;
    private long order;
    private int index = -1;

    Timer(Runnable action) {
      this.action = action;
    }

    /** When; {@link #NEVER} while it is not set. */
    long at() {
      return at;
    }
  }

  private Timer[] heap = new Timer[64];
  private int size;
  private long orders;

  /** Sets a timer, instead of what it was set to before. */
  void set(Timer timer, long at) {
    cancel(timer);
    timer.at = at;
    timer.order = orders++;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    up(timer, size++);
  }

  void cancel(Timer timer) {
    if (timer.index >= 0) {
      int hole = timer.index;
      timer.index = -1;
      timer.at = NEVER;
      Timer last = heap[--size];
      heap[size] = null;
      if (last != timer) {
        up(last, hole);
        down(last, last.index);
      }
    }
  }

  /** The next time at which something happens. */
  long next() {
    return size == 0 ? NEVER : heap[0].at;
  }

  /** Does what is next. */
  void run() {
    Timer timer = heap[0];
    cancel(timer);
    timer.action.run();
  }

  private void up(Timer timer, int from) {
    int i = from;
    while (i > 0 && isBefore(timer, heap[(i - 1) / 2])) {
      place(heap[(i - 1) / 2], i);
      i = (i - 1) / 2;
    }
    place(timer, i);
  }

  private void down(Timer timer, int from) {
    int i = from;
    while (true) {
      int child = 2 * i + 1;
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (child >= size || !isBefore(heap[child], timer)) {
        break;
      }
      place(heap[child], i);
      i = child;
    }
    place(timer, i);
  }

  private void place(Timer timer, int i) {
    heap[i] = timer;
    timer.index = i;
  }

  private static boolean isBefore(Timer a, Timer b) {
    return a.at < b.at || a.at == b.at && a.order < b.order;
  }
}
