package io.isle.faces.shell.program;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.KernelInfo.Argument;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The text of a job file for a kernel, with every argument in it. Of buffers that the kernel may
 * write, the driver cannot tell inputs from outputs: they are outputs, but for the first one where
 * there is no input. Pure function.
 */
final class JobText {
  private static final int MAX_NAME = 32;
  private static final int USUAL_GROUP = 64;

  /** Names of arguments that mostly are the number of elements. */
  private static final Set<String> COUNTS =
      Set.of("n", "count", "size", "len", "length", "num", "elements", "total");

  /** How the job names the program: the value of a step's key {@code program}. */
  record Named(String program, String declaration) {}

  private final KernelInfo kernel;
  private final List<String> names = new ArrayList<>();
  private final String extent;
  private final int inPlace;

  private JobText(KernelInfo kernel) {
    this.kernel = kernel;
    Set<String> taken = new HashSet<>(Set.of("local_x", "size_x"));
    for (int i = 0; i < kernel.arguments().size(); i++) {
      names.add(name(kernel.arguments().get(i).name(), i, taken));
    }
    extent = isBuffer("n") ? (isBuffer("elements") ? "rows_of_all" : "elements") : "n";
    inPlace = hasInput() ? -1 : firstBuffer();
  }

  /**
   * The text.
   *
   * @param job name of the job, letters, digits, '.', '_' and '-'
   * @return empty for a kernel without buffers, of which no job could have a result
   */
  static Optional<String> of(String job, Named program, KernelInfo kernel) {
    JobText text = new JobText(kernel);
    return text.firstBuffer() < 0 ? Optional.empty() : Optional.of(text.text(job, program));
  }

  /** A name that buffers may have, and no other argument has. */
  private static String name(String source, int index, Set<String> taken) {
    boolean good = source.matches("[A-Za-z][A-Za-z0-9_]{0," + (MAX_NAME - 1) + "}");
    String name = good ? source : "arg" + index;
    while (!taken.add(name)) {
      name = "arg" + index + "_" + taken.size();
    }
    return name;
  }

  private boolean isBuffer(String name) {
    int at = names.indexOf(name);
    return at >= 0 && isBuffer(kernel.arguments().get(at));
  }

  private static boolean isBuffer(Argument argument) {
    return argument.kind().equals(Optional.of(ArgumentKind.BUFFER));
  }

  private static boolean isInput(Argument argument) {
    return isBuffer(argument) && argument.access() == Buffer.READ;
  }

  private boolean hasInput() {
    return kernel.arguments().stream().anyMatch(JobText::isInput);
  }

  private int firstBuffer() {
    for (int i = 0; i < kernel.arguments().size(); i++) {
      if (isBuffer(kernel.arguments().get(i))) {
        return i;
      }
    }
    return -1;
  }

  private String text(String job, Named program) {
    Map<String, String> inputs = new LinkedHashMap<>();
    Map<String, String> outputs = new LinkedHashMap<>();
    StringJoiner set = new StringJoiner(" ");
    StringBuilder params = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      Argument argument = kernel.arguments().get(i);
      String name = names.get(i);
      if (!isBuffer(argument)) {
        continue;
      }
      if (isInput(argument) || i == inPlace) {
        String length = inputs.isEmpty() ? extent : extent + "_" + name;
        inputs.put(name, "{file: \"${" + name + "}\", " + Elements.of(argument, length) + "}");
        params.append("  ").append(name).append(": {type: file}\n");
        set.add("--set " + name + "=FILE");
      }
      if (!isInput(argument)) {
        String param = i == inPlace ? name + "_out" : name;
        String shape = i == inPlace ? "" : ", " + Elements.of(argument, extent);
        outputs.put(name, "{file: \"${" + param + "}\"" + shape + "}");
        params.append("  ").append(param).append(": {type: out}\n");
        set.add("--set " + param + "=FILE");
      }
    }
    return """
        # Runs kernel %s: ./isle run %s.yml %s
        # Written from the kernel's description. Types, shapes, values and sizes are a start: change what the kernel needs otherwise.
        job: %s

        params:
        %s
        device: any
        %s
        steps:
          - name: %s
            program: %s
        %s%s    args:                              # all arguments of the kernel, in its order
        %s%s"""
        .formatted(
            kernel.name(),
            job,
            set,
            job,
            params,
            program.declaration(),
            stepName(kernel.name()),
            program.program(),
            block("in", "read by the kernel", inputs),
            block(
                "out",
                "begin as zeros; a buffer that the kernel only reads belongs under 'in'",
                outputs),
            arguments(),
            range());
  }

  private static String stepName(String kernel) {
    return kernel.length() <= MAX_NAME ? kernel : "kernel";
  }

  private String block(String key, String comment, Map<String, String> buffers) {
    if (buffers.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(String.format("    %-35s# %s\n", key + ":", comment));
    buffers.forEach((name, value) -> text.append("      " + name + ": " + value + "\n"));
    return text.toString();
  }

  private String arguments() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      Argument argument = kernel.arguments().get(i);
      String value = isBuffer(argument) ? names.get(i) : value(argument);
      text.append(String.format("      - %-30s # %s\n", value, comment(i, argument)));
    }
    return text.toString();
  }

  private static String comment(int index, Argument argument) {
    String what = (argument.type() + " " + argument.name()).strip();
    return index + ": " + what + Elements.note(argument);
  }

  private String value(Argument argument) {
    return switch (argument.kind().orElseThrow()) {
      case LOCAL -> "{local: " + Math.max(argument.bytes(), 1) + " * local_x}";
      case BYTES -> Elements.bytes(argument);
      case F32, F64 -> "0";
      default -> COUNTS.contains(argument.name().toLowerCase(java.util.Locale.ROOT)) ? extent : "0";
    };
  }

  private String range() {
    String one = "ceil(" + extent + " / local_x)";
    if (!kernel.groupSize().isEmpty()) {
      List<Integer> required = kernel.groupSize();
      String more =
          required.get(2) > 1 ? ", local_y, local_z" : required.get(1) > 1 ? ", local_y" : "";
      return line(
          "size", "[local_x * " + one + more + "]", "groups of " + required + " are required");
    }
    if (kernel.needsGroupSize().isEmpty()) {
      return line("size", "[" + extent + "]", "work items");
    }
    int most = kernel.maxGroup() == 0 ? USUAL_GROUP : Math.min(USUAL_GROUP, kernel.maxGroup());
    return line("local", "[" + most + "]", "needed for " + kernel.needsGroupSize())
        + line("size", "[local_x * " + one + "]", "work items, a multiple of local");
  }

  private static String line(String key, String value, String comment) {
    return String.format("    %-34s # %s\n", key + ": " + value, comment);
  }
}
