package io.isle.apps.jobs.run;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Finds the device of a job. */
final class DeviceChoice {
  /** How long a platform that has just started may take to open its first device. */
  private static final long FIRST_DEVICE_WAIT_NS = TimeUnit.SECONDS.toNanos(10);

  private DeviceChoice() {}

  static Accelerator find(Accelerators accelerators, JobSpec spec) throws InterruptedException {
    awaitFirst(accelerators);
    List<String> programs = programs(spec);
    JobSpec.Device wanted = spec.device();
    Accelerator found =
        accelerators.find(
            new DeviceQuery(
                wanted.id(),
                wanted.deviceClass(),
                programs.stream().findFirst(),
                wanted.memoryBytes()));
    AcceleratorInfo info = found.info();
    for (String program : programs) {
      if (!info.builtins().contains(program)) {
        throw JobException.failed(
            Errno.ENOTSUP,
            info.id() + " has no program '" + program + "'; it has " + info.builtins(),
            null);
      }
    }
    return found;
  }

  private static void awaitFirst(Accelerators accelerators) throws InterruptedException {
    long end = System.nanoTime() + FIRST_DEVICE_WAIT_NS;
    while (accelerators.list().isEmpty() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static List<String> programs(JobSpec spec) {
    return spec.streams().stream()
        .flatMap(stream -> stream.steps().stream())
        .map(JobSpec.Step::program)
        .distinct()
        .toList();
  }
}
