package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The entry of a program that a step runs. Immutable.
 *
 * @param number of the entry in its program
 * @param info what the driver says of a kernel; absent for a built-in program, and for a driver
 *     that does not describe kernels
 * @param arguments as they are described; without {@code info} only their kinds are known
 */
public record Kernel(int number, Optional<KernelInfo> info, List<KernelInfo.Argument> arguments) {
  public Kernel {
    arguments = List.copyOf(arguments);
  }

  /**
   * Finds it, and refuses what cannot be used.
   *
   * @throws JobException naming the kernels that there are, or why there is no using this one
   */
  public static Kernel of(StepProgram step, Program program) {
    List<KernelInfo> kernels = step.isKernel() ? program.kernels() : List.of();
    if (kernels.isEmpty()) {
      List<Program.Entry> entries = program.entries();
      int number =
          number(
              step,
              entries.stream().map(Program.Entry::name).toList(),
              entries.stream().map(Kernel::shown).toList());
      return new Kernel(
          number,
          Optional.empty(),
          entries.get(number).arguments().stream().map(Kernel::argument).toList());
    }
    int number =
        number(
            step,
            kernels.stream().map(KernelInfo::name).toList(),
            kernels.stream().map(Kernel::shown).toList());
    KernelInfo info = kernels.get(number);
    if (!info.isUsable()) {
      throw failed(
          step, Errno.ENOTSUP, "the kernel " + info.name() + " cannot be used: " + info.unusable());
    }
    return new Kernel(number, Optional.of(info), info.arguments());
  }

  private static int number(StepProgram step, List<String> names, List<String> shown) {
    if (step.kernel().isEmpty() && names.size() == 1) {
      return 0;
    }
    int number = step.kernel().map(names::indexOf).orElse(-1);
    if (number >= 0) {
      return number;
    }
    throw failed(
        step,
        Errno.ENOENT,
        step.kernel().map(name -> "has no kernel '" + name + "'").orElse("name the 'kernel'")
            + (names.isEmpty()
                ? "; the program has no kernels"
                : "; the kernels of the program are " + String.join(", ", shown)));
  }

  private static String shown(Program.Entry entry) {
    return entry.name() + "(" + String.join(", ", entry.arguments()) + ")";
  }

  private static String shown(KernelInfo kernel) {
    return kernel.isUsable()
        ? kernel.arguments().stream()
            .map(Described::type)
            .collect(Collectors.joining(", ", kernel.name() + "(", ")"))
        : kernel.name() + " (cannot be used: " + kernel.unusable() + ")";
  }

  static JobException failed(StepProgram step, int code, String why) {
    return step.where().failure(code, step.code().text() + ": " + why);
  }

  /** What is known of an argument by its kind alone. */
  private static KernelInfo.Argument argument(String kind) {
    Optional<ArgumentKind> known =
        Arrays.stream(ArgumentKind.values()).filter(value -> value.text().equals(kind)).findFirst();
    int bytes =
        known
            .map(
                value ->
                    switch (value) {
                      case U32, I32, F32 -> 4;
                      case U64, I64, F64 -> 8;
                      case BUFFER, LOCAL, BYTES -> 0;
                    })
            .orElse(0);
    return new KernelInfo.Argument("", kind, known, 0, bytes, known, bytes == 0 ? 0 : 1);
  }

  /** The work-group size that it requires, of three dimensions; empty if it requires none. */
  public List<Integer> groupSize() {
    return info.map(KernelInfo::groupSize).orElse(List.of());
  }
}
