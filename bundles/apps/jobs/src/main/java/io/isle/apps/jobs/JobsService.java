package io.isle.apps.jobs;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRequest;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.run.JobRun;
import io.isle.apps.jobs.spec.JobFile;
import io.isle.apps.jobs.spec.JobParser;
import io.isle.apps.jobs.spec.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The jobs service over a {@link Platform}, free of OSGi. Thread-safe. */
final class JobsService implements Jobs, AutoCloseable {
  private final Platform platform;
  private final History history;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private boolean closed;

  JobsService(Platform platform, History history) {
    this.platform = platform;
    this.history = history;
  }

  @Override
  public JobResult run(JobRequest request, JobObserver observer) {
    long requestedNs = System.nanoTime();
    Path file = request.directory().resolve(request.file());
    JobSpec spec =
        JobParser.parse(
            JobFile.read(file),
            file.toAbsolutePath().getParent(),
            request.parameters(),
            request.directory(),
            platform.actions().byKey(),
            platform.kinds().byKey());
    String id = history.nextId();
    JobRun run = new JobRun(id, requestedNs, spec, platform, observer, request.admin());
    JobInfo begun =
        new JobInfo(
            id,
            spec.name(),
            file.toString(),
            request.user(),
            System.currentTimeMillis(),
            run.snapshot());
    Running entry = new Running(Thread.currentThread(), run);
    admit(id, entry);
    try {
      history.put(begun);
      started(observer, begun, run);
      JobResult result = run.run();
      boolean byRequest = entry.end();
      if (byRequest && result.state() == JobState.CANCELLED) {
        // Stopped by another user's command, not by the caller: the caller's command failed.
        result = JobRecords.ended(result, "the job " + id + " was cancelled", ExitStatus.FAILED);
      }
      history.put(JobRecords.with(begun, JobRecords.kept(result)));
      return result;
    } finally {
      entry.end();
      synchronized (this) {
        running.remove(id);
        notifyAll();
      }
    }
  }

  /** One that does not get so far is no job that runs. */
  private void started(JobObserver observer, JobInfo begun, JobRun run) {
    try {
      observer.started(begun);
    } catch (RuntimeException | Error e) {
      history.put(JobRecords.with(begun, JobRecords.kept(run.refused(e))));
      throw e;
    }
  }

  private synchronized void admit(String id, Running entry) {
    if (closed) {
      throw JobException.failed(Errno.ECLOSED, "the jobs service is stopping", null);
    }
    if (running.size() >= MAX_RUNNING) {
      throw JobException.failed(
          Errno.EAGAIN,
          "the limit of " + MAX_RUNNING + " running jobs is reached; wait for the end of a job",
          null);
    }
    running.put(id, entry);
  }

  @Override
  public List<JobInfo> list() {
    List<JobInfo> jobs = new ArrayList<>();
    history.list().forEach(job -> jobs.add(live(job)));
    return List.copyOf(jobs);
  }

  @Override
  public Optional<JobInfo> find(String id) {
    return history.find(id).map(this::live);
  }

  private JobInfo live(JobInfo job) {
    Running entry = running.get(job.id());
    return entry == null || job.result().state() != JobState.RUNNING
        ? job
        : JobRecords.with(job, entry.run.snapshot());
  }

  @Override
  public boolean cancel(String id) {
    Running entry = running.get(id);
    if (entry != null) {
      return entry.cancel();
    }
    if (history.find(id).isEmpty()) {
      throw JobException.failed(Errno.ENOENT, "unknown job " + id + "; see job:list", null);
    }
    return false;
  }

  /** Cancels what runs and waits until it has ended. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      running.values().forEach(Running::cancel);
      boolean interrupted = false;
      while (!running.isEmpty()) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A job on its way. The interrupt of a cancel never reaches the thread after the job's end. */
  private static final class Running {
    final JobRun run;
    private final Thread thread;
    private boolean requested;
    private boolean ended;

    Running(Thread thread, JobRun run) {
      this.thread = thread;
      this.run = run;
    }

    synchronized boolean cancel() {
      if (ended) {
        return false;
      }
      requested = true;
      thread.interrupt();
      return true;
    }

    /** Returns whether the job was asked to stop. */
    synchronized boolean end() {
      if (!ended) {
        ended = true;
        if (requested) {
          Thread.interrupted();
        }
      }
      return requested;
    }
  }
}
