package io.isle.apps.chaos.platform;

/** Waits for ends that an interrupt must not cut off. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Waits for something, for a bounded time. */
  @FunctionalInterface
  public interface Wait<T> {
    T await() throws InterruptedException;
  }

  /**
   * Waits, from the beginning when it is interrupted: the run is ending already, and the shell
   * interrupts a command twice.
   */
  public static <T> T get(Wait<T> wait) {
    while (true) {
      try {
        return wait.await();
      } catch (InterruptedException e) {
        // what it asks for is under way
      }
    }
  }
}
