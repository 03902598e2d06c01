package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.kernel.Arguments;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;

/**
 * How the results of a built-in program follow from its input, which a program's entry does not
 * tell; for steps whose buffers have no names.
 *
 * @param unit input is cut at multiples of this many bytes only
 * @param record bytes of results for each unit begun; 0 for no results
 * @param sum whether the results of all pieces are added up as 64-bit counters, rather than put one
 *     behind the other
 */
record Shape(long unit, int record, boolean sum) {
  /** Results of a piece that are not in proportion to the input: 256 counters. */
  static final int HISTOGRAM_BYTES = 256 * Long.BYTES;

  /**
   * The shape of a step's program, which goes with the step's buffers.
   *
   * @throws JobException when it does not
   */
  static Shape check(JobSpec.Step step, Arguments arguments) {
    Shape shape = of(step, arguments.scalars());
    Buffers buffers = step.buffers();
    boolean in = !buffers.inputs().isEmpty();
    if (arguments.buffers() == 0 && (in || !buffers.outputs().isEmpty())) {
      throw unfit(step, "takes neither 'in' nor 'out'");
    }
    if (arguments.buffers() > 0 && !in) {
      throw unfit(step, "needs 'in'");
    }
    if (step.verify() && !in) {
      throw unfit(step, "has no results to 'verify'");
    }
    for (Buffers.Output output : buffers.outputs()) {
      if (output.format() == Buffers.Format.LINES && !LineSink.canLine(shape)) {
        throw output
            .where()
            .error(
                "the results of "
                    + step.program().code().text()
                    + " are not records; use format: raw");
      }
    }
    return shape;
  }

  private static JobException unfit(JobSpec.Step step, String what) {
    return step.where().error("program " + step.program().code().text() + " " + what);
  }

  private static Shape of(JobSpec.Step step, long[] args) {
    return switch (step.program().code().text()) {
      case "sha256" -> {
        if (args.length < 1 || args[0] < 1) {
          throw step.where().error("sha256 needs args: [block size in bytes], at least 1");
        }
        yield new Shape(args[0], 32, false);
      }
      case "copy" -> new Shape(1, 1, false);
      case "histogram" -> new Shape(1, HISTOGRAM_BYTES, true);
      case "noop", "busy" -> new Shape(1, 0, false);
      default ->
          throw step.where()
              .error(
                  "jobs of this version run the programs busy, copy, histogram, noop, sha256; not '"
                      + step.program().code().text()
                      + "'");
    };
  }

  /** What a piece of so many bytes counts in the measure {@code blocks}: its records, or itself. */
  long blocks(long bytes) {
    return !sum && record > 1 ? units(bytes) : 1;
  }

  /** Units begun in {@code bytes}. */
  long units(long bytes) {
    return Math.ceilDiv(bytes, unit);
  }
}
