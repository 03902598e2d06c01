package io.isle.apps.jobs.run;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.jobs.JobObserver;

/**
 * What the parts of a running job share.
 *
 * @param threadName prefix of the names of its threads
 */
record Env(
    String jobId,
    String threadName,
    Accelerator accelerator,
    JobObserver observer,
    Measures measures) {
  String device() {
    return accelerator.id();
  }

  long freeMemory() {
    AcceleratorInfo info = accelerator.info();
    return Math.max(0, info.memoryBytes() - info.memoryUsedBytes());
  }

  Env with(String name, JobObserver other) {
    return new Env(jobId, name, accelerator, other, measures);
  }
}
