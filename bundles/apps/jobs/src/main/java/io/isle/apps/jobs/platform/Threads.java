package io.isle.apps.jobs.platform;

/** Waiting for threads. */
public final class Threads {
  private Threads() {}

  /** Waits until a thread has ended; an interrupt of the current one does not end the wait. */
  public static void join(Thread thread) {
    boolean interrupted = Thread.interrupted();
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
