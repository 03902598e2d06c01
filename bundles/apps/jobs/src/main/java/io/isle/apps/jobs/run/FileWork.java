package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.function.Function;

/** Operations on files by the threads of a job, which an interrupt ends. */
final class FileWork {
  private FileWork() {}

  /** An operation. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /**
   * Does it.
   *
   * @param doing what the thread is doing, for the message of an interrupt
   * @param failed the job's error for another failure
   */
  static void run(String doing, Work work, Function<IOException, JobException> failed)
      throws InterruptedException {
    try {
      work.run();
    } catch (ClosedByInterruptException e) {
      throw interrupted(doing, e);
    } catch (IOException e) {
      throw failed.apply(e);
    }
  }

  static InterruptedException interrupted(String doing, IOException cause) {
    InterruptedException e = new InterruptedException("interrupted while " + doing);
    e.initCause(cause);
    return e;
  }
}
