package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.Expression;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The arguments of a step, checked against the program's entry. Immutable.
 *
 * <p>Buffers are known by their index: of a step with one input, 0 is the input and 1 the result;
 * of a step with named buffers it is that of the name.
 */
final class Arguments {
  private static final String BUFFER = "buffer";

  private final int entry;
  private final List<Argument> arguments;

  /**
   * One argument of the program.
   *
   * @param kind of a scalar; null for a buffer
   * @param buffer index of a buffer, or -1 for a scalar
   * @param bits of a scalar that is always the same; empty where a formula says it
   * @param arg of a scalar
   */
  private record Argument(Scalar kind, int buffer, OptionalLong bits, JobSpec.Arg arg) {
    static Argument buffer(int index) {
      return new Argument(null, index, OptionalLong.empty(), null);
    }
  }

  private Arguments(int entry, List<Argument> arguments) {
    this.entry = entry;
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Checks number, kind and range.
   *
   * @param entries of the step's program
   * @param names of the buffers, in order; empty for a step with one input
   * @throws io.isle.api.jobs.JobException naming the argument
   */
  static Arguments of(JobSpec.Step step, List<Program.Entry> entries, List<String> names) {
    int entry = Programs.entry(step.program(), entries);
    List<String> kinds = entries.get(entry).arguments();
    List<JobSpec.Arg> given = step.program().args();
    boolean all = given.stream().anyMatch(arg -> names.contains(arg.text()));
    long buffers = kinds.stream().filter(BUFFER::equals).count();
    checkCounts(step, kinds, names, all);
    List<Argument> arguments = new ArrayList<>();
    int nextBuffer = 0;
    int nextArg = 0;
    for (String kind : kinds) {
      if (!kind.equals(BUFFER)) {
        arguments.add(scalar(kind, given.get(nextArg++), names));
      } else if (all) {
        JobSpec.Arg arg = given.get(nextArg++);
        int index = names.indexOf(arg.text());
        if (index < 0) {
          throw arg.where()
              .error("'" + arg.text() + "' is not a buffer; the program expects a buffer here");
        }
        arguments.add(Argument.buffer(index));
      } else {
        arguments.add(Argument.buffer(nextBuffer++));
      }
    }
    if (!names.isEmpty() && buffers < names.size()) {
      throw unfit(step, "takes " + buffers + " buffers; the step has " + names.size());
    }
    return new Arguments(entry, arguments);
  }

  private static void checkCounts(
      JobSpec.Step step, List<String> kinds, List<String> names, boolean all) {
    long buffers = kinds.stream().filter(BUFFER::equals).count();
    long wanted = all ? kinds.size() : kinds.size() - buffers;
    int given = step.program().args().size();
    if (wanted != given) {
      throw unfit(
          step,
          "takes "
              + wanted
              + " args ("
              + String.join(", ", kinds.stream().filter(k -> all || !k.equals(BUFFER)).toList())
              + "); the step gives "
              + given);
    }
    if (names.isEmpty() && buffers > 2) {
      throw unfit(step, "takes " + buffers + " buffers; name them: 'in: {NAME: {file: ...}}'");
    }
    if (!names.isEmpty() && !all && buffers != names.size()) {
      throw unfit(
          step,
          "takes "
              + buffers
              + " buffers; the step names "
              + names.size()
              + " ("
              + String.join(", ", names)
              + ")");
    }
  }

  private static JobException unfit(JobSpec.Step step, String what) {
    return step.program().where().error("program " + step.program().code().text() + " " + what);
  }

  private static Argument scalar(String name, JobSpec.Arg arg, List<String> names) {
    if (names.contains(arg.text())) {
      throw arg.where()
          .error("'" + arg.text() + "' is a buffer; the program expects a " + name + " here");
    }
    Scalar kind =
        Scalar.of(name)
            .orElseThrow(
                () ->
                    arg.where()
                        .error("the program expects a " + name + ", which jobs do not support"));
    return arg.formula().isPresent()
        ? new Argument(kind, -1, OptionalLong.empty(), arg)
        : new Argument(kind, -1, OptionalLong.of(bits(kind, arg)), arg);
  }

  private static long bits(Scalar kind, JobSpec.Arg arg) {
    if (kind.isReal()) {
      return kind.bits(
          Numbers.real(arg.text())
              .orElseThrow(
                  () ->
                      arg.where()
                          .error("'" + arg.text() + "' is not a number (" + kind.text() + ")")));
    }
    long value =
        Numbers.size(arg.text())
            .orElseThrow(
                () ->
                    arg.where()
                        .error("'" + arg.text() + "' is not a whole number (" + kind.text() + ")"));
    if (value < kind.min() || value > kind.max()) {
      throw arg.where()
          .error(value + " is not in " + kind.min() + ".." + kind.max() + " (" + kind.text() + ")");
    }
    return value;
  }

  /** The bits of a formula's value. */
  private static long bits(Argument argument, Extents extents) {
    Scalar kind = argument.kind();
    JobSpec.Arg arg = argument.arg();
    Expression formula = arg.formula().orElseThrow();
    return kind.isReal()
        ? kind.bits(formula.evaluate(extents.values()))
        : extents.whole(
            new Buffers.Formula(arg.text(), formula, arg.where()), kind.min(), kind.max());
  }

  /** The scalars as long bits, in order; for a step with one input. */
  long[] scalars() {
    return arguments.stream()
        .filter(argument -> argument.buffer() < 0)
        .mapToLong(argument -> argument.bits().orElse(0))
        .toArray();
  }

  /** Number of the program's entry. */
  int entry() {
    return entry;
  }

  int buffers() {
    return (int) arguments.stream().filter(argument -> argument.buffer() >= 0).count();
  }

  /**
   * Writes them.
   *
   * @param uses used range of each buffer
   */
  void write(CommandWriter writer, int[] uses, Extents extents) {
    for (Argument argument : arguments) {
      if (argument.buffer() >= 0) {
        writer.arg(uses[argument.buffer()]);
        continue;
      }
      long bits =
          argument.bits().isPresent() ? argument.bits().getAsLong() : bits(argument, extents);
      argument.kind().write(writer, bits);
    }
  }
}
