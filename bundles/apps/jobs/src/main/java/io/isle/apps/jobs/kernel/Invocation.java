package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.List;

/**
 * How a step starts its program: checked against what the driver says of the kernel. A kernel whose
 * results may depend on the work-group size is refused unless the job file or the kernel says one.
 * Immutable.
 */
public final class Invocation {
  /** Bytes of the longest operation without arguments, and of an argument. */
  private static final int OPERATION = 96;

  private static final int ARGUMENT = 16;

  private final Kernel kernel;
  private final WorkItems items;
  private final Arguments arguments;

  private Invocation(Kernel kernel, WorkItems items, Arguments arguments) {
    this.kernel = kernel;
    this.items = items;
    this.arguments = arguments;
  }

  /**
   * Checks the step's program, arguments and work-group.
   *
   * @param names of the buffers, in order; empty for a step with one input
   * @throws io.isle.api.jobs.JobException saying what does not fit, and what to write
   */
  public static Invocation of(StepProgram step, Program program, List<String> names) {
    Kernel kernel = Kernel.of(step, program);
    checkLocal(step, kernel);
    return new Invocation(kernel, new WorkItems(step, kernel), Arguments.of(step, kernel, names));
  }

  /**
   * As {@link #of}, of an inner step of a loop: it gives all arguments, of the buffers only those
   * that it uses.
   */
  public static Invocation inner(StepProgram step, Program program, List<String> names) {
    Kernel kernel = Kernel.of(step, program);
    checkLocal(step, kernel);
    return new Invocation(
        kernel, new WorkItems(step, kernel), Arguments.inner(step, kernel, names));
  }

  /** Most bytes of its operation in an envelope. */
  public long bytes() {
    long bytes = OPERATION + (long) kernel.arguments().size() * ARGUMENT;
    for (KernelInfo.Argument argument : kernel.arguments()) {
      if (argument.kind().filter(kind -> kind == ArgumentKind.BYTES).isPresent()) {
        bytes += Math.ceilDiv(argument.bytes(), ARGUMENT) * (long) ARGUMENT;
      }
    }
    return bytes;
  }

  private static void checkLocal(StepProgram step, Kernel kernel) {
    if (!step.isKernel()) {
      return;
    }
    boolean said = step.range().local().isPresent();
    if (kernel.info().isEmpty()) {
      boolean local = said && !step.range().isAnyLocal();
      if (local || !step.range().offset().isEmpty()) {
        throw Kernel.failed(
            step,
            Errno.ENOTSUP,
            "the device's driver does not describe kernels, and takes neither 'offset' nor a"
                + " 'local' other than any");
      }
      if (!said) {
        throw Kernel.failed(
            step,
            Errno.EINVAL,
            "the device's driver does not describe kernels: the results may depend on the"
                + " work-group size, which the driver chooses; if they do not, write 'local: any'");
      }
      return;
    }
    KernelInfo info = kernel.info().get();
    if (!said && info.groupSize().isEmpty() && !info.needsGroupSize().isEmpty()) {
      throw Kernel.failed(
          step,
          Errno.EINVAL,
          "the results of the kernel "
              + info.name()
              + " may depend on the work-group size: "
              + info.needsGroupSize()
              + "; write the size as 'local: [x, y, z]', or 'local: any' if the driver may choose"
              + " any size");
    }
  }

  public Arguments arguments() {
    return arguments;
  }

  /** The kernel that it starts. */
  public Kernel kernel() {
    return kernel;
  }

  /**
   * The product of the work-group's extents where the job file or the kernel says them, and their
   * names have values; else 1.
   *
   * @throws io.isle.api.jobs.JobException as {@link #at}
   */
  public long groupItems(Extents extents) {
    return items.groupItems(extents);
  }

  /**
   * The dispatch with the numbers that formulas have now.
   *
   * @param units the size where the job file says none
   * @throws io.isle.api.jobs.JobException EINVAL naming a number that does not do
   */
  public Dispatch at(Extents extents, int units) {
    return items.dispatch(arguments, extents, units);
  }
}
