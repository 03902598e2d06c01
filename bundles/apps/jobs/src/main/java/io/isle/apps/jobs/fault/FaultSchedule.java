package io.isle.apps.jobs.fault;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.HostFault;
import io.isle.api.device.Recovery;
import io.isle.api.health.FaultInjector;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.platform.Threads;
import io.isle.apps.jobs.setup.Resources;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Brings the faults of a job about, one after the other in a thread of its own: waits for each
 * one's moment, lets it happen, and after a crash or hang waits until the device is recovered.
 * Whatever is thrown there ends the schedule and fails the job.
 */
public final class FaultSchedule implements AutoCloseable {
  /** Longest wait for a device to be recovered after a fault. */
  private static final long RECOVERY_NS = TimeUnit.SECONDS.toNanos(20);

  /** How long a recovery may take to be told after the call that brought it about was cut off. */
  private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

  private final Platform platform;
  private final List<JobSpec.Fault> faults;
  private final Measures measures;
  private final Recoveries recoveries;
  private final ActionBook actions;
  private final Thread thread;
  private final Map<String, Integer> happened = new HashMap<>();
  private volatile boolean over;
  private volatile IsleException failure;

  public FaultSchedule(
      Platform platform,
      List<JobSpec.Fault> faults,
      Measures measures,
      Recoveries recoveries,
      ActionBook actions,
      String threadName) {
    this.platform = platform;
    this.faults = faults;
    this.measures = measures;
    this.recoveries = recoveries;
    this.actions = actions;
    this.over = faults.isEmpty();
    this.thread = Thread.ofPlatform().name(threadName + "-faults").unstarted(this::run);
  }

  public void start() {
    if (!faults.isEmpty()) {
      thread.start();
    }
  }

  private void run() {
    try {
      for (JobSpec.Fault fault : faults) {
        // What is no crash is handed to the driver once, with its count.
        for (long i = 0; i < (fault.endsDriver() ? fault.count() : 1); i++) {
          awaitMoment(fault);
          try {
            happen(fault);
          } catch (RuntimeException e) {
            throw e instanceof JobException known
                ? known
                : failed(fault, Errno.EIO, e.toString(), e);
          }
          if (fault.counts()) {
            synchronized (happened) {
              happened.merge(name(fault), 1, Integer::sum);
            }
          }
        }
      }
    } catch (IsleException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      failure =
          JobException.failed(
              Errno.EIO, "the faults of the job ended with an unexpected error: " + e, e);
    } catch (InterruptedException e) {
      // The job ended before its schedule did.
      return;
    } finally {
      over = true;
    }
  }

  /** A fault of a step or of a resource may be called as one of a device. */
  private static String name(JobSpec.Fault fault) {
    String on =
        fault
            .occurrence()
            .map(event -> event.on().resource().name() + " ")
            .or(() -> fault.step().map(step -> step.text() + " "))
            .orElse("");
    return on + fault.fault();
  }

  private void awaitMoment(JobSpec.Fault fault) throws InterruptedException {
    switch (fault.trigger()) {
      case PIECES -> measures.await(measures.pieces() + fault.after(), 0);
      case BYTES -> measures.await(0, measures.bytes.sum() + fault.after());
      case MS -> TimeUnit.MILLISECONDS.sleep(fault.after());
    }
  }

  private void happen(JobSpec.Fault fault) throws InterruptedException {
    if (fault.device().isEmpty()) {
      try {
        if (fault.step().isPresent()) {
          actions.inject(fault);
        } else {
          new Resources(platform).happen(fault.occurrence().orElseThrow());
        }
      } catch (IsleException e) {
        throw failed(fault, e.code(), e.getMessage(), e);
      }
      return;
    }
    Recoveries.Moment before = recoveries.now(fault.device());
    long until = System.nanoTime() + RECOVERY_NS;
    inject(fault, before, until);
    if (!fault.endsDriver()) {
      return;
    }
    Recovery answer =
        recoveries
            .await(before, before::mayHaveCaused, until)
            .orElseThrow(
                () ->
                    failed(
                        fault,
                        Errno.ETIME,
                        fault.device()
                            + " was not recovered from '"
                            + fault.fault()
                            + "' within "
                            + TimeUnit.NANOSECONDS.toSeconds(RECOVERY_NS)
                            + " s; see device:info "
                            + fault.device(),
                        null));
    recoveries.attribute(answer, fault.fault());
  }

  private static JobException failed(JobSpec.Fault fault, int code, String why, Throwable cause) {
    return JobException.failed(code, fault.where().path() + ": " + why, cause);
  }

  /** A device that still recovers from something else takes no fault yet. */
  private void inject(JobSpec.Fault fault, Recoveries.Moment before, long until)
      throws InterruptedException {
    while (true) {
      Recoveries.Moment call = recoveries.now(fault.device());
      try {
        switch (fault.fault()) {
          case JobSpec.Fault.KILL -> harmHost(fault, HostFault.KILL, until);
          case JobSpec.Fault.HANG -> harmHost(fault, HostFault.STOP, until);
          case JobSpec.Fault.STUCK -> plan(fault, "hang", until);
          default -> plan(fault, fault.fault(), until);
        }
        return;
      } catch (IsleException e) {
        if (!Failures.passes(Failures.ofCall(e)) || System.nanoTime() - until >= 0) {
          throw failed(fault, e.code(), e.getMessage(), e);
        }
      }
      long soon = System.nanoTime() + ANSWER_NS;
      if (!fault.endsDriver()) {
        boolean ignored = recoveries.await(call, any -> true, soon).isPresent();
      } else if (recoveries.await(before, before::mayHaveCaused, soon).isPresent()) {
        // The fault was taken, and its crash cut the answer off: a second one would be wrong.
        return;
      }
    }
  }

  private void harmHost(JobSpec.Fault fault, HostFault how, long until)
      throws InterruptedException {
    platform.await(DeviceAdmin.class, until).injectFault(fault.device(), how);
  }

  private void plan(JobSpec.Fault fault, String how, long until) throws InterruptedException {
    platform
        .await(FaultInjector.class, until)
        .inject(fault.device(), how, 0, fault.endsDriver() ? 1 : fault.count(), fault.value());
  }

  /** Whether some of them end drivers: then ends of drivers tell nothing of programs. */
  public boolean endDrivers() {
    return faults.stream().anyMatch(JobSpec.Fault::endsDriver);
  }

  /** Whether every fault has happened, or one could not. */
  public boolean over() {
    return over;
  }

  /** Why a fault did not happen or had no effect; empty when all is well so far. */
  public Optional<IsleException> failure() {
    return Optional.ofNullable(failure);
  }

  /** How often faults of a kind happened and, for crashes and hangs, were recovered from. */
  public int happened(String fault) {
    synchronized (happened) {
      return happened.getOrDefault(fault, 0);
    }
  }

  /** Faults of all kinds that happened. */
  public int happened() {
    synchronized (happened) {
      return happened.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** Ends it, finished or not. */
  @Override
  public void close() {
    thread.interrupt();
    Threads.join(thread);
  }
}
