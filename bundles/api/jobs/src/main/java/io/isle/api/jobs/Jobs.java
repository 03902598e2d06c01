package io.isle.api.jobs;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Runs job files and keeps the history of their results. Thread-safe. */
@ProviderType
public interface Jobs {
  /** Largest number of jobs in the history; the oldest ended job is dropped first. */
  int MAX_HISTORY = 200;

  /** Largest number of running jobs; further jobs are refused with EAGAIN. */
  int MAX_RUNNING = 64;

  /**
   * Runs a job to its end in the calling thread. An interrupt of the thread cancels the job.
   *
   * @return the result, also of a failed job
   * @throws JobException if the job did not begin: a mistake in the file or in the parameters (exit
   *     status 2), or a missing input (exit status 1)
   */
  JobResult run(JobRequest request, JobObserver observer);

  /** All jobs in the history, including running jobs, oldest first. */
  List<JobInfo> list();

  /** The job with this id, if any. */
  Optional<JobInfo> find(String id);

  /**
   * Requests the end of a running job, which ends soon as CANCELLED.
   *
   * @return false if the job has already ended
   * @throws JobException ENOENT for an unknown id
   */
  boolean cancel(String id);
}
