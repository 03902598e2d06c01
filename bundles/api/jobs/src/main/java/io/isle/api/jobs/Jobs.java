package io.isle.api.jobs;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Runs job files and remembers how they ended. Thread-safe. */
@ProviderType
public interface Jobs {
  /** Jobs that the history keeps; the oldest ended ones are forgotten first. */
  int MAX_HISTORY = 200;

  /** Jobs that run at a time; one more is refused with EAGAIN. */
  int MAX_RUNNING = 64;

  /**
   * Runs a job to its end in the calling thread. Interrupting the thread cancels the job.
   *
   * @return how it ended, failure included
   * @throws JobException when the job never began: a mistake in the file or in the parameters (exit
   *     status 2), or an input that is missing (exit status 1)
   */
  JobResult run(JobRequest request, JobObserver observer);

  /** All in the history, running ones included, oldest first. */
  List<JobInfo> list();

  Optional<JobInfo> find(String id);

  /**
   * Asks a running job to stop; it ends soon, as CANCELLED.
   *
   * @throws JobException ENOENT unknown id
   * @return false when the job had already ended
   */
  boolean cancel(String id);
}
