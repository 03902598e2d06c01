package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The process of a driver, for faults that come from outside. */
final class DriverProcess {
  private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(2);

  private DriverProcess() {}

  /** Ends it without a word. */
  static void kill(Platform platform, JobSpec.Fault fault) throws InterruptedException {
    if (!of(platform, fault).destroyForcibly()) {
      throw gone(fault);
    }
  }

  /** Stops it, so that it answers nothing any more. */
  static void stop(Platform platform, JobSpec.Fault fault) throws InterruptedException {
    try {
      // No call of Java sends this signal, but every shell's own kill does.
      String command = "kill -STOP " + of(platform, fault).pid();
      if (new ProcessBuilder("/bin/sh", "-c", command).start().waitFor() != 0) {
        throw gone(fault);
      }
    } catch (IOException e) {
      throw JobException.failed(
          Errno.EIO, fault.where().path() + ": /bin/sh: " + Failures.reason(e), e);
    }
  }

  /** Waits a moment for the process of a device that was recovered just now. */
  private static ProcessHandle of(Platform platform, JobSpec.Fault fault)
      throws InterruptedException {
    long until = System.nanoTime() + WAIT_NS;
    while (true) {
      Optional<ProcessHandle> found =
          platform
              .tree()
              .flatMap(tree -> tree.find(fault.device()))
              .flatMap(DeviceNode::hostPid)
              .flatMap(DriverProcess::child);
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - until >= 0) {
        throw gone(fault);
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Only a child of the platform: an old id may belong to another process by now. */
  private static Optional<ProcessHandle> child(long pid) {
    return ProcessHandle.current().children().filter(child -> child.pid() == pid).findFirst();
  }

  private static JobException gone(JobSpec.Fault fault) {
    return JobException.failed(
        Errno.ENODEV,
        fault.where().path()
            + ": "
            + fault.device()
            + " has no process for '"
            + fault.fault()
            + "'; only a driver in tier 2 has one",
        null);
  }
}
