package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.spec.Arg;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.StepProgram;

/** How long the envelopes of a stream's submissions may be, so that its context has room. */
final class EnvelopeBytes {
  /** What a context has unless it asks for more. */
  private static final int UNIT = 4096;

  /** Header and waits, rounded up. */
  private static final int HEAD = 256;

  private static final int LOOP = 32 << 10;
  private static final int BINDING = 32;
  private static final int COPY = 40;
  private static final int DISPATCH = 96;
  private static final int ARGUMENT = 16;

  private EnvelopeBytes() {}

  /**
   * The longest of all steps, a multiple of 4 KiB; of a loop, in whose submissions many dispatches
   * go, what the device takes.
   *
   * @param most that the device takes
   */
  static int of(JobSpec.Stream stream, int most) {
    int longest = stream.steps().stream().mapToInt(EnvelopeBytes::longest).max().orElse(0);
    boolean loops = stream.steps().stream().anyMatch(step -> step.loop().isPresent());
    return Math.max(
        Math.max(1, Math.ceilDiv(longest, UNIT)) * UNIT, loops ? Math.min(LOOP, most) : 0);
  }

  private static int longest(JobSpec.Step step) {
    return step.programs().stream().mapToInt(program -> of(step, program)).max().orElse(0);
  }

  /** Each buffer may have a copy that is made before, and each is an argument, too. */
  private static int of(JobSpec.Step step, StepProgram program) {
    int buffers = step.buffers().names().size();
    boolean typed = program.args().stream().anyMatch(arg -> arg instanceof Arg.Typed);
    return HEAD
        + buffers * (2 * BINDING + COPY + ARGUMENT)
        + BINDING
        + DISPATCH
        + program.args().size() * ARGUMENT
        + (typed ? CommandWriter.MAX_ARGUMENT_BYTES : 0);
  }
}
