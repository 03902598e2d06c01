package io.isle.apps.jobs.platform;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.RecoveryLog;
import io.isle.api.health.FaultInjector;
import io.isle.api.jobs.JobException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Groups;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The services that jobs use, each of which may go and come back at any time. Thread-safe. */
public interface Platform {
  /** How often something that has to come back is looked for. */
  long LOOK_MS = 10;

  /** How long a service that is away is waited for. */
  long SERVICE_WAIT_NS = TimeUnit.SECONDS.toNanos(5);

  Optional<Accelerators> accelerators();

  Optional<Capabilities> capabilities();

  Optional<DeviceTree> tree();

  Optional<Groups> groups();

  Optional<ConfigFiles> files();

  Optional<FaultInjector> faults();

  Optional<DeviceAdmin> devices();

  Optional<RecoveryLog> recoveries();

  /** How steps are tried again whose driver ended under them; the same for all jobs. */
  CrashBlame blame();

  /** A thread for a job, not started yet. */
  default Thread thread(String name, Runnable work) {
    return Thread.ofPlatform().name(name).unstarted(work);
  }

  /** What arrays of jobs may take outside of the heap; the same for all jobs. */
  ArrayBudget arrays();

  /** The kinds of steps that other bundles bring; the same for all jobs. */
  Actions actions();

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
  static <S> S await(Supplier<Optional<S>> service, String name, long untilNs)
      throws InterruptedException {
    while (true) {
      Optional<S> found = service.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - untilNs >= 0) {
        throw JobException.failed(
            Errno.ECLOSED,
            "the service " + name + " is not there; see bundle:list and log:display",
            null);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
