package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;

/** The process of a driver, for faults that come from outside. */
final class DriverProcess {
  private DriverProcess() {}

  /** Ends it without a word. */
  static void kill(Platform platform, JobSpec.Fault fault) {
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

  /** Only a child of the platform: an old id may belong to another process by now. */
  private static ProcessHandle of(Platform platform, JobSpec.Fault fault) {
    long pid =
        platform
            .tree()
            .flatMap(tree -> tree.find(fault.device()))
            .flatMap(DeviceNode::hostPid)
            .orElseThrow(() -> gone(fault));
    return ProcessHandle.current()
        .children()
        .filter(process -> process.pid() == pid)
        .findFirst()
        .orElseThrow(() -> gone(fault));
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
