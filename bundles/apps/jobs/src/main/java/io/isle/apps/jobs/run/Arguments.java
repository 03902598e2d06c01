package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.Numbers;
import java.util.List;

/**
 * The arguments of a step, checked against the program's entry: its first buffer is the input, its
 * second the result, its scalars are the step's {@code args} in order. Immutable.
 */
final class Arguments {
  private final List<String> kinds;
  private final long[] bits;
  private final int buffers;

  private Arguments(List<String> kinds, long[] bits, int buffers) {
    this.kinds = kinds;
    this.bits = bits;
    this.buffers = buffers;
  }

  /**
   * Checks number, kind and range.
   *
   * @throws io.isle.api.jobs.JobException naming the argument
   */
  static Arguments of(JobSpec.Step step, Program.Entry entry) {
    List<String> kinds = entry.arguments();
    int buffers = (int) kinds.stream().filter("buffer"::equals).count();
    int scalars = kinds.size() - buffers;
    if (scalars != step.args().size()) {
      throw step.where()
          .error(
              "program "
                  + step.program()
                  + " takes "
                  + scalars
                  + " args ("
                  + String.join(", ", kinds.stream().filter(k -> !k.equals("buffer")).toList())
                  + "); the step gives "
                  + step.args().size());
    }
    if (buffers > 2) {
      throw step.where()
          .error(
              "program " + step.program() + " takes " + buffers + " buffers; a step has in, out");
    }
    long[] bits = new long[kinds.size()];
    int next = 0;
    for (int i = 0; i < bits.length; i++) {
      if (!kinds.get(i).equals("buffer")) {
        bits[i] = bits(kinds.get(i), step.args().get(next++));
      }
    }
    return new Arguments(kinds, bits, buffers);
  }

  private static long bits(String kind, JobSpec.Arg arg) {
    return switch (kind) {
      case "f32" -> Float.floatToRawIntBits((float) real(kind, arg));
      case "f64" -> Double.doubleToRawLongBits(real(kind, arg));
      case "u32" -> ranged(kind, arg, 0, 0xffff_ffffL);
      case "i32" -> ranged(kind, arg, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "u64" -> ranged(kind, arg, 0, Long.MAX_VALUE);
      case "i64" -> ranged(kind, arg, Long.MIN_VALUE, Long.MAX_VALUE);
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
        Numbers.whole(arg.text())
            .orElseThrow(
                () -> arg.where().error("'" + arg.text() + "' is no whole number (" + kind + ")"));
    if (value < min || value > max) {
      throw arg.where().error(value + " is not in " + min + ".." + max + " (" + kind + ")");
    }
    return value;
  }

  /** The scalars as long bits, in order. */
  long[] scalars() {
    long[] scalars = new long[bits.length - buffers];
    int next = 0;
    for (int i = 0; i < bits.length; i++) {
      if (!kinds.get(i).equals("buffer")) {
        scalars[next++] = bits[i];
      }
    }
    return scalars;
  }

  int buffers() {
    return buffers;
  }

  /** Writes them; {@code in} and {@code out} are used ranges. */
  void write(CommandWriter writer, int in, int out) {
    int buffer = 0;
    for (int i = 0; i < bits.length; i++) {
      switch (kinds.get(i)) {
        case "buffer" -> writer.arg(buffer++ == 0 ? in : out);
        case "u32" -> writer.argU32((int) bits[i]);
        case "i32" -> writer.argI32((int) bits[i]);
        case "u64" -> writer.argU64(bits[i]);
        case "i64" -> writer.argI64(bits[i]);
        case "f32" -> writer.argF32(Float.intBitsToFloat((int) bits[i]));
        default -> writer.argF64(Double.longBitsToDouble(bits[i]));
      }
    }
  }
}
