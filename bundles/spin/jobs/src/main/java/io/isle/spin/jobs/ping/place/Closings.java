package io.isle.spin.jobs.ping.place;

import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be undone, the latest first; a failure keeps none of the others from it. */
public final class Closings implements AutoCloseable {
  private final Deque<Runnable> all = new ArrayDeque<>();

  public void add(Runnable closing) {
    all.push(closing);
  }

  @Override
  public void close() {
    RuntimeException first = null;
    while (!all.isEmpty()) {
      try {
        all.pop().run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
