package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.Arg;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.ArrayList;
import java.util.List;

/** What a job file gives for the arguments of a kernel, one for one. Pure functions. */
final class Matching {
  private Matching() {}

  /**
   * Checks number, kinds and ranges.
   *
   * @param names of the step's buffers
   * @param all whether the job file names the buffers among the arguments; else these are in the
   *     order of the file
   * @throws JobException naming the argument
   */
  static List<Argument> match(StepProgram program, Kernel kernel, List<String> names, boolean all) {
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
        Arg said = all ? given.get(nextArg++) : null;
        int index = all ? buffer(said, argument, i, names) : nextBuffer++;
        PointedType element =
            PointedType.of(
                argument, i, said instanceof Arg.Raw, all ? said.where() : program.where());
        arguments.add(new Argument.OfBuffer(index, argument.access(), element));
      }
    }
    return arguments;
  }

  /** Whether an argument of the job file is one of its buffers. */
  static boolean isBuffer(Arg arg, List<String> names) {
    return switch (arg) {
      case Arg.Plain plain -> names.contains(plain.text());
      case Arg.Raw _ -> true;
      case Arg.Typed _, Arg.Local _ -> false;
    };
  }

  private static boolean isBuffer(KernelInfo.Argument argument) {
    return argument.kind().filter(kind -> kind == ArgumentKind.BUFFER).isPresent();
  }

  private static void checkCounts(
      StepProgram program, List<KernelInfo.Argument> wanted, List<String> names, boolean all) {
    long buffers = wanted.stream().filter(Matching::isBuffer).count();
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

  static JobException unfit(StepProgram program, String what) {
    return program.where().error("program " + program.code().text() + " " + what);
  }

  private static int buffer(
      Arg given, KernelInfo.Argument argument, int index, List<String> names) {
    if (given instanceof Arg.Raw raw) {
      return names.indexOf(raw.buffer());
    }
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
                  + (given instanceof Arg.Raw raw ? raw.buffer() : ((Arg.Plain) given).text())
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
}
