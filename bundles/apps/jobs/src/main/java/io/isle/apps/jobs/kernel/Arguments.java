package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.KernelInfo;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.Arg;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of a step, checked against the program's entry. Immutable.
 *
 * <p>Buffers are known by their index: of a step with one input, 0 is the input and 1 the result;
 * of a step with named buffers it is that of the name.
 */
public final class Arguments {
  private final List<Argument> arguments;

  private Arguments(List<Argument> arguments) {
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Checks number, kinds and ranges.
   *
   * @param names of the buffers, in order; empty for a step with one input
   * @throws JobException naming the argument
   */
  public static Arguments of(StepProgram program, Kernel kernel, List<String> names) {
    boolean all = program.args().stream().anyMatch(arg -> isBuffer(arg, names));
    Arguments made = make(program, kernel, names, all);
    if (made.buffers() < names.size()) {
      throw unfit(program, "takes " + made.buffers() + " buffers; the step has " + names.size());
    }
    return made;
  }

  /**
   * As {@link #of}, of an inner step of a loop: it gives all arguments, of the buffers only those
   * that it uses.
   */
  public static Arguments inner(StepProgram program, Kernel kernel, List<String> names) {
    return make(program, kernel, names, true);
  }

  private static Arguments make(
      StepProgram program, Kernel kernel, List<String> names, boolean all) {
    List<KernelInfo.Argument> wanted = kernel.arguments();
    List<Arg> given = program.args();
    checkCounts(program, wanted, names, all);
    List<Argument> arguments = new ArrayList<>();
    int nextBuffer = 0;
    int nextArg = 0;
    for (int i = 0; i < wanted.size(); i++) {
      KernelInfo.Argument argument = wanted.get(i);
      if (!isBuffer(argument)) {
        arguments.add(value(given.get(nextArg++), argument, i, names));
      } else {
        int index = all ? buffer(given.get(nextArg++), argument, i, names) : nextBuffer++;
        arguments.add(new Argument.OfBuffer(index, argument.access()));
      }
    }
    return new Arguments(arguments);
  }

  private static boolean isBuffer(Arg arg, List<String> names) {
    return arg instanceof Arg.Plain plain && names.contains(plain.text());
  }

  private static boolean isBuffer(KernelInfo.Argument argument) {
    return argument.kind().filter(kind -> kind == ArgumentKind.BUFFER).isPresent();
  }

  private static void checkCounts(
      StepProgram program, List<KernelInfo.Argument> wanted, List<String> names, boolean all) {
    long buffers = wanted.stream().filter(Arguments::isBuffer).count();
    long count = all ? wanted.size() : wanted.size() - buffers;
    int given = program.args().size();
    if (count != given) {
      throw unfit(
          program,
          "takes "
              + count
              + " args ("
              + String.join(
                  ", ",
                  wanted.stream()
                      .filter(argument -> all || !isBuffer(argument))
                      .map(Described::type)
                      .toList())
              + "); the step gives "
              + given);
    }
    if (names.isEmpty() && buffers > 2) {
      throw unfit(program, "takes " + buffers + " buffers; name them: 'in: {NAME: {file: ...}}'");
    }
    if (!names.isEmpty() && !all && buffers != names.size()) {
      throw unfit(
          program,
          "takes "
              + buffers
              + " buffers; the step names "
              + names.size()
              + " ("
              + String.join(", ", names)
              + ")");
    }
  }

  private static JobException unfit(StepProgram program, String what) {
    return program.where().error("program " + program.code().text() + " " + what);
  }

  private static int buffer(
      Arg given, KernelInfo.Argument argument, int index, List<String> names) {
    if (given instanceof Arg.Plain plain) {
      if (names.contains(plain.text())) {
        return names.indexOf(plain.text());
      }
      throw given
          .where()
          .error("'" + plain.text() + "' is not a buffer; the program expects a buffer here");
    }
    throw unfit(given, argument, index);
  }

  /** What a job file writes does not do for this argument. */
  private static JobException unfit(Arg given, KernelInfo.Argument argument, int index) {
    return given
        .where()
        .error(
            "does not fit "
                + Described.name(argument, index)
                + " of the kernel: "
                + Described.form(argument));
  }

  private static Argument value(
      Arg given, KernelInfo.Argument argument, int index, List<String> names) {
    if (isBuffer(given, names)) {
      throw given
          .where()
          .error(
              "'"
                  + ((Arg.Plain) given).text()
                  + "' is a buffer; the program expects a "
                  + Described.type(argument)
                  + " here");
    }
    ArgumentKind kind =
        argument
            .kind()
            .orElseThrow(
                () ->
                    given
                        .where()
                        .error(
                            "the program expects a "
                                + Described.type(argument)
                                + ", which jobs do not support"));
    switch (given) {
      case Arg.Local local when kind == ArgumentKind.LOCAL -> {
        return new Argument.OfLocal(local.bytes());
      }
      case Arg.Plain plain when Described.takesNumber(argument) -> {
        return number(plain, argument, kind);
      }
      case Arg.Typed typed when kind != ArgumentKind.LOCAL -> {
        return TypedArguments.of(typed, argument, index);
      }
      default -> throw unfit(given, argument, index);
    }
  }

  /** One that is no formula has its range checked here. */
  static Argument number(Arg.Plain plain, KernelInfo.Argument argument, ArgumentKind kind) {
    Argument.OfNumber number =
        new Argument.OfNumber(
            kind, Described.element(argument).orElseThrow(), Described.type(argument), plain);
    if (plain.formula().isEmpty()) {
      long ignored = number.bits(Extents.none());
    }
    return number;
  }

  /** The numbers as bits, in order; for a step with one input, whose arguments are no formulas. */
  public long[] scalars() {
    return arguments.stream()
        .filter(Argument.OfNumber.class::isInstance)
        .mapToLong(argument -> ((Argument.OfNumber) argument).bits(Extents.none()))
        .toArray();
  }

  /** How many are buffers. */
  public int buffers() {
    return (int) arguments.stream().filter(Argument.OfBuffer.class::isInstance).count();
  }

  /** Whether the kernel may write a buffer, as far as its driver says. */
  public boolean writes(int buffer) {
    return arguments.stream()
        .anyMatch(
            argument ->
                argument instanceof Argument.OfBuffer of
                    && of.index() == buffer
                    && (of.access() & Buffer.WRITE) != 0);
  }

  /** Whether the program may write a buffer: also where nobody says whether it does. */
  public boolean mayWrite(int buffer) {
    return arguments.stream()
        .anyMatch(
            argument ->
                argument instanceof Argument.OfBuffer of
                    && of.index() == buffer
                    && (of.access() == 0 || (of.access() & Buffer.WRITE) != 0));
  }

  /** All of them with the numbers that formulas have now. */
  List<Argument.Ready> ready(Extents extents) {
    return arguments.stream().map(argument -> argument.ready(extents)).toList();
  }
}
