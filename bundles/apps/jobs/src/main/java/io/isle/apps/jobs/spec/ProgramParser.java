package io.isle.apps.jobs.spec;

import io.isle.api.accel.ProgramKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code program}, {@code args} and {@code size} of a step. */
final class ProgramParser {
  static final int MAX_CHOICES = 4;
  static final int MAX_ARGS = 16;

  private static final String BUILTIN = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";
  private static final String KERNEL = "[A-Za-z_$][A-Za-z0-9_.$]{0,62}";

  private final Parameters parameters;
  private final Map<String, Located> step;
  private final Buffers buffers;

  /**
   * @param step keys of the step
   * @param buffers of the step
   */
  ProgramParser(Parameters parameters, Map<String, Located> step, Buffers buffers) {
    this.parameters = parameters;
    this.step = step;
    this.buffers = buffers;
  }

  /** The programs in the order of preference; at least one. */
  List<StepProgram> programs(Located at) {
    if (at.isScalar() || at.isMapping()) {
      return List.of(program(at));
    }
    List<StepProgram> programs =
        at.sequence(MAX_CHOICES).stream().map(each -> program(each)).toList();
    if (programs.isEmpty()) {
      throw at.error("needs at least one program");
    }
    return programs;
  }

  private StepProgram program(Located at) {
    if (at.isScalar()) {
      return made(builtin(at), Optional.empty(), step, at);
    }
    Map<String, Located> keys =
        at.mapping("builtin", "file", "kind", "kernel", "options", "args", "size");
    if (keys.containsKey("builtin") == keys.containsKey("file")) {
      throw at.error("needs either 'builtin' or 'file'");
    }
    if (keys.containsKey("builtin")) {
      for (String key : List.of("kind", "kernel", "options")) {
        if (keys.containsKey(key)) {
          throw keys.get(key).error("is allowed only for a program of a 'file'");
        }
      }
      return made(builtin(keys.get("builtin")), Optional.empty(), keys, at);
    }
    if (!buffers.named()) {
      throw at.error("a program of a file needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    return made(file(keys), Optional.ofNullable(keys.get("kernel")).map(this::kernel), keys, at);
  }

  /** Arguments and size are the program's own, else the step's. */
  private StepProgram made(
      StepProgram.Code code, Optional<String> kernel, Map<String, Located> keys, Located at) {
    return new StepProgram(
        code,
        kernel,
        args(keys.getOrDefault("args", step.get("args"))),
        size(keys.getOrDefault("size", step.get("size"))),
        at);
  }

  private StepProgram.Code builtin(Located at) {
    String name = parameters.text(at);
    if (!name.matches(BUILTIN)) {
      throw at.error("'" + name + "' is not the name of a built-in program");
    }
    return new StepProgram.Code.Builtin(name);
  }

  private StepProgram.Code file(Map<String, Located> keys) {
    Located at = keys.get("file");
    Path file = parameters.neededFile(at);
    ProgramKind kind = kind(keys.get("kind"), at, file.toString());
    Located optionsAt = keys.get("options");
    if (optionsAt != null && kind != ProgramKind.OPENCL_C) {
      throw optionsAt.error("only programs of the kind opencl_c have options");
    }
    return new StepProgram.Code.OfFile(
        file, kind, optionsAt == null ? "" : parameters.text(optionsAt).strip());
  }

  /** The kind that is said, else the one that the file's name ends with. */
  private ProgramKind kind(Located kindAt, Located fileAt, String file) {
    if (kindAt == null) {
      String end = file.substring(file.lastIndexOf('.') + 1);
      return switch (end) {
        case "cl" -> ProgramKind.OPENCL_C;
        case "spv" -> ProgramKind.SPIRV;
        case "ptx" -> ProgramKind.PTX;
        default ->
            throw fileAt.error(
                "'" + file + "' does not end with .cl, .spv or .ptx; give its 'kind'");
      };
    }
    return parameters.choice(
        kindAt,
        Arrays.stream(ProgramKind.values()).filter(kind -> kind != ProgramKind.BUILTIN).toList(),
        ProgramKind::text);
  }

  private String kernel(Located at) {
    String name = parameters.text(at);
    if (!name.matches(KERNEL)) {
      throw at.error("'" + name + "' is not the name of a kernel");
    }
    return name;
  }

  private List<JobSpec.Arg> args(Located at) {
    return at == null ? List.of() : at.sequence(MAX_ARGS).stream().map(this::arg).toList();
  }

  /** Between buffers with names, what is no number is one of these, or a formula. */
  private JobSpec.Arg arg(Located at) {
    String text = parameters.text(at);
    boolean formula =
        buffers.named() && Numbers.real(text).isEmpty() && !buffers.names().contains(text);
    return new JobSpec.Arg(
        text, formula ? Optional.of(formula(text, at).value()) : Optional.empty(), at);
  }

  private Buffers.Formula formula(String text, Located at) {
    return OutputParser.formula(text, buffers.formulaNames(), at);
  }

  private List<Buffers.Formula> size(Located at) {
    if (at == null) {
      return List.of();
    }
    if (!buffers.named()) {
      throw at.error("needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    return at.sequence(3).stream().map(each -> formula(parameters.text(each), each)).toList();
  }
}
