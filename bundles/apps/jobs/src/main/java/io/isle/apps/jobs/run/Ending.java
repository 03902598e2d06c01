package io.isle.apps.jobs.run;

import java.util.List;

/**
 * Tells the interrupt that ends a job's streams from the one that the JDK leaves: unmapping a
 * device's memory while a thread is in the middle of a copy sets that thread's interrupt flag, as
 * it makes the copy fail. Thread-safe.
 */
final class Ending {
  private volatile boolean asked;

  /** Ends the streams that run in {@code threads}. */
  void ask(List<Thread> threads) {
    asked = true;
    threads.forEach(Thread::interrupt);
  }

  /** Whether somebody ended the streams. */
  boolean asked() {
    return asked;
  }

  /** Takes the flag back that an access of mapped memory may have left on the current thread. */
  void forgive() {
    if (Thread.interrupted() && asked) {
      Thread.currentThread().interrupt();
    }
  }
}
