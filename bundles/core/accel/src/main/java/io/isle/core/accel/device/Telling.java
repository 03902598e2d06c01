package io.isle.core.accel.device;

import java.util.concurrent.Executor;

/** Tells of a failure, whatever else fails. */
final class Telling {
  private Telling() {}

  /**
   * Logs and tells in a thread of its own; in the caller's where there is none to be had, for those
   * who are told only post.
   *
   * @param threads may throw what starting a thread throws
   */
  static void of(Executor threads, Runnable log, Runnable tell) {
    Runnable both =
        () -> {
          try {
            log.run();
          } finally {
            tell.run();
          }
        };
    try {
      threads.execute(both);
    } catch (RuntimeException | Error e) {
      both.run();
    }
  }
}
