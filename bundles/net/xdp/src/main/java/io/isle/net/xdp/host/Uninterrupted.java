package io.isle.net.xdp.host;

import java.util.function.BooleanSupplier;

/** Waits that an interrupt does not end; the thread stays interrupted. */
final class Uninterrupted {
  private Uninterrupted() {}

  /** A wait. */
  interface Wait {
    void run() throws InterruptedException;
  }

  /** Waits again as long as the condition holds. */
  static void await(BooleanSupplier condition, Wait wait) {
    boolean interrupted = false;
    while (condition.getAsBoolean()) {
      try {
        wait.run();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end of a process. */
  static void awaitEnd(Process process) {
    await(process::isAlive, process::waitFor);
  }
}
