package io.isle.apps.jobs.platform;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.SetupKind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The services that jobs use, each of which may go and come back at any time. Thread-safe. */
public interface Platform {
  /** How often something that has to come back is looked for. */
  long LOOK_MS = 10;

  /** How long a service that is away is waited for. */
  long SERVICE_WAIT_NS = TimeUnit.SECONDS.toNanos(5);

  /** A service of that type, if there is one at the moment. */
  <S> Optional<S> service(Class<S> type);

  /** How steps are tried again whose driver ended under them; the same for all jobs. */
  CrashBlame blame();

  /** A thread for a job, not started yet. */
  default Thread thread(String name, Runnable work) {
    return Thread.ofPlatform().name(name).unstarted(work);
  }

  /** What arrays of jobs may take outside of the heap; the same for all jobs. */
  ArrayBudget arrays();

  /** The kinds of steps that other bundles bring; the same for all jobs. */
  Providers<JobAction> actions();

  /** The kinds of set-up resources that other bundles bring; the same for all jobs. */
  Providers<SetupKind> kinds();

  /** Where the service keeps its files. */
  Path folder();

  /**
   * Until this time of the monotonic clock the platform may still be starting: a job that finds no
   * device, or no service, waits.
   */
  long settledNs();

  /** Until when a service is waited for: a part of the core that restarts is worth a short wait. */
  default long serviceByNs() {
    return Math.max(settledNs(), System.nanoTime() + SERVICE_WAIT_NS);
  }

  /**
   * Waits for a service.
   *
   * @param untilNs of {@link System#nanoTime}
   * @throws JobException ECLOSED when it does not come
   */
  default <S> S await(Class<S> type, long untilNs) throws InterruptedException {
    while (true) {
      Optional<S> found = service(type);
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - untilNs >= 0) {
        throw JobException.failed(
            Errno.ECLOSED,
            "the service "
                + type.getSimpleName()
                + " is not available; see bundle:list and log:display",
            null);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
