package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.apps.jobs.kernel.Invocation;

/**
 * How buffers are bound for a step's program. A kernel may read what it may write: OpenCL cannot
 * say more. On devices with copies of memory, nothing is copied that nobody needs.
 *
 * @param kernel whether the program is an entry from files
 * @param described whether the device's driver describes its kernels
 */
record KernelAccess(boolean kernel, boolean described) {
  private static final int BOTH = Buffer.READ | Buffer.WRITE;

  static KernelAccess of(StepRun run, Invocation invocation) {
    return new KernelAccess(
        run.step().program().isKernel(), invocation.kernel().info().isPresent());
  }

  /** Of an input that is only read. */
  int input() {
    return Buffer.READ;
  }

  /** Of an input that is only read, and that an earlier submission has copied to the device. */
  int copied() {
    return Buffer.READ | (described ? Buffer.NO_COPY_IN : 0);
  }

  /** Of an input that the kernel may write, although nobody wants to see that. */
  int dropped() {
    return BOTH | (described ? Buffer.NO_COPY_BACK : 0);
  }

  /** Of a copy of such an input that the submission itself makes. */
  int scratch() {
    return BOTH | (described ? Buffer.NO_COPY_IN | Buffer.NO_COPY_BACK : 0);
  }

  /** Of an output that the submission fills before the program runs, or that is all zeros. */
  int filled() {
    return BOTH | (described ? Buffer.NO_COPY_IN : 0);
  }

  /** Of an output whose contents before do not matter, or were written by the CPU. */
  int output() {
    return kernel ? BOTH : Buffer.WRITE;
  }
}
