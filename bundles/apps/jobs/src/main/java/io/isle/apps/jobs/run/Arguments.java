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
   * @param buffer index of a buffer, or -1 for a scalar
   * @param bits of a scalar that is always the same
   * @param formula of another
   */
  private record Argument(
      String kind, int buffer, OptionalLong bits, Expression formula, JobSpec.Arg arg) {}

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
          throw arg.where().error("'" + arg.text() + "' is no buffer; the program wants one here");
        }
        arguments.add(new Argument(kind, index, OptionalLong.empty(), null, arg));
      } else {
        arguments.add(new Argument(kind, nextBuffer++, OptionalLong.empty(), null, null));
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

  private static Argument scalar(String kind, JobSpec.Arg arg, List<String> names) {
    if (names.contains(arg.text())) {
      throw arg.where().error("'" + arg.text() + "' is a buffer; the program wants a " + kind);
    }
    if (arg.formula().isEmpty()) {
      return new Argument(kind, -1, OptionalLong.of(bits(kind, arg)), null, arg);
    }
    if (!List.of("f32", "f64", "u32", "i32", "u64", "i64").contains(kind)) {
      throw arg.where().error("the program wants a " + kind + ", which jobs cannot give");
    }
    return new Argument(kind, -1, OptionalLong.empty(), arg.formula().get(), arg);
  }

  private static long bits(String kind, JobSpec.Arg arg) {
    return switch (kind) {
      case "f32" -> Float.floatToRawIntBits((float) real(kind, arg));
      case "f64" -> Double.doubleToRawLongBits(real(kind, arg));
      case "u32", "i32", "u64", "i64" -> ranged(kind, arg, least(kind), greatest(kind));
      default ->
          throw arg.where().error("the program wants a " + kind + ", which jobs cannot give");
    };
  }

  private static double real(String kind, JobSpec.Arg arg) {
    return Numbers.real(arg.text())
        .orElseThrow(() -> arg.where().error("'" + arg.text() + "' is no number (" + kind + ")"));
  }

  private static long ranged(String kind, JobSpec.Arg arg, long min, long max) {
    long value =
        Numbers.size(arg.text())
            .orElseThrow(
                () -> arg.where().error("'" + arg.text() + "' is no whole number (" + kind + ")"));
    if (value < min || value > max) {
      throw arg.where().error(value + " is not in " + min + ".." + max + " (" + kind + ")");
    }
    return value;
  }

  private static long least(String kind) {
    return switch (kind) {
      case "i32" -> Integer.MIN_VALUE;
      case "i64" -> Long.MIN_VALUE;
      default -> 0;
    };
  }

  private static long greatest(String kind) {
    return switch (kind) {
      case "u32" -> 0xffff_ffffL;
      case "i32" -> Integer.MAX_VALUE;
      default -> Long.MAX_VALUE;
    };
  }

  /** The bits of a formula's value. */
  private static long bits(Argument argument, Extents extents) {
    Expression formula = argument.formula();
    double value = formula.evaluate(extents.values());
    JobSpec.Arg arg = argument.arg();
    return switch (argument.kind()) {
      case "f32" -> Float.floatToRawIntBits((float) value);
      case "f64" -> Double.doubleToRawLongBits(value);
      default ->
          extents.whole(
              new Buffers.Formula(arg.text(), formula, arg.where()),
              least(argument.kind()),
              greatest(argument.kind()));
    };
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
      switch (argument.kind()) {
        case "u32" -> writer.argU32((int) bits);
        case "i32" -> writer.argI32((int) bits);
        case "u64" -> writer.argU64(bits);
        case "i64" -> writer.argI64(bits);
        case "f32" -> writer.argF32(Float.intBitsToFloat((int) bits));
        default -> writer.argF64(Double.longBitsToDouble(bits));
      }
    }
  }
}
