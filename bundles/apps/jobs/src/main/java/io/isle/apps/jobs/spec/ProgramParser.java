package io.isle.apps.jobs.spec;

import io.isle.api.accel.ProgramKind;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code program}, {@code args}, {@code size}, {@code local} and {@code offset} of a step.
 */
final class ProgramParser {
  static final int MAX_CHOICES = 4;

  private static final List<String> FILE_ENDS = List.of(".cl", ".spv", ".ptx");
  private static final String BUILTIN = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";
  private static final String KERNEL = "[A-Za-z_$][A-Za-z0-9_.$]{0,254}";

  private final Parameters parameters;
  private final Map<String, Located> step;
  private final Buffers buffers;
  private final Map<String, StepProgram.Code> declared;
  private final Set<String> names;

  /**
   * @param step keys of the step
   * @param buffers of the step
   * @param declared the job's programs by name
   * @param variables further names that formulas may use
   */
  ProgramParser(
      Parameters parameters,
      Map<String, Located> step,
      Buffers buffers,
      Map<String, StepProgram.Code> declared,
      Set<String> variables) {
    this.parameters = parameters;
    this.step = step;
    this.buffers = buffers;
    this.declared = declared;
    names = new LinkedHashSet<>(buffers.formulaNames());
    names.addAll(variables);
  }

  /** The programs in the order of preference; at least one. */
  List<StepProgram> programs(Located at) {
    List<StepProgram> programs =
        at.isScalar() || at.isMapping()
            ? List.of(program(at))
            : at.sequence(MAX_CHOICES).stream().map(this::program).toList();
    if (programs.isEmpty()) {
      throw at.error("needs at least one program");
    }
    for (String key : List.of("local", "offset")) {
      if (step.containsKey(key) && programs.stream().noneMatch(StepProgram::isKernel)) {
        throw step.get(key).error("is allowed only for a kernel, a program of a file");
      }
    }
    return programs;
  }

  private StepProgram program(Located at) {
    if (at.isScalar()) {
      return builtin(at, step, at);
    }
    Map<String, Located> keys =
        at.mapping(
            "builtin", "file", "name", "kind", "kernel", "options", "args", "size", "local",
            "offset");
    List<String> sources =
        keys.keySet().stream().filter(List.of("builtin", "file", "name")::contains).toList();
    if (sources.size() != 1) {
      throw at.error("needs one of 'builtin', 'file', 'name'");
    }
    String source = sources.getFirst();
    for (String key : List.of("kind", "options")) {
      if (!source.equals("file") && keys.containsKey(key)) {
        throw keys.get(key).error("is allowed only for a program of a 'file'");
      }
    }
    if (source.equals("builtin")) {
      for (String key : List.of("kernel", "local", "offset")) {
        if (keys.containsKey(key)) {
          throw keys.get(key).error("is allowed only for a kernel, a program of a file");
        }
      }
      return builtin(keys.get("builtin"), keys, at);
    }
    if (!buffers.named()) {
      throw at.error("a program of a file needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    return kernel(source.equals("file") ? file(keys) : declared(keys.get("name")), keys, at);
  }

  private StepProgram builtin(Located nameAt, Map<String, Located> keys, Located at) {
    String name = parameters.text(nameAt);
    if (FILE_ENDS.stream().anyMatch(name::endsWith)) {
      throw nameAt.error("is a file, not a built-in program; write program: {file: " + name + "}");
    }
    if (!name.matches(BUILTIN)) {
      throw nameAt.error("'" + name + "' is not the name of a built-in program");
    }
    return new StepProgram(
        new StepProgram.Code.Builtin(name),
        Optional.empty(),
        args(keys),
        new NdRange(size(keys), Optional.empty(), List.of()),
        at);
  }

  private StepProgram kernel(StepProgram.Code code, Map<String, Located> keys, Located at) {
    List<Buffers.Formula> size = size(keys);
    if (size.isEmpty()) {
      throw at.error("needs 'size', the number of work items in each dimension, such as size: [n]");
    }
    Located local = keys.getOrDefault("local", step.get("local"));
    Located offset = keys.getOrDefault("offset", step.get("offset"));
    return new StepProgram(
        code,
        Optional.ofNullable(keys.get("kernel")).map(this::kernelName),
        args(keys),
        new NdRange(
            size,
            Optional.ofNullable(local).map(this::local),
            offset == null ? List.of() : extents(offset, NdRange.LOCAL, NdRange.SIZE)),
        at);
  }

  /** Arguments and sizes are the program's own, else the step's. */
  private List<Arg> args(Map<String, Located> keys) {
    Set<String> all = new LinkedHashSet<>(names);
    addNames(all, NdRange.LOCAL);
    addNames(all, NdRange.SIZE);
    return new ArgParser(parameters, buffers, all)
        .args(keys.getOrDefault("args", step.get("args")));
  }

  private static void addNames(Set<String> names, String prefix) {
    NdRange.DIMENSIONS.forEach(dimension -> names.add(prefix + dimension));
  }

  private List<Buffers.Formula> size(Map<String, Located> keys) {
    Located at = keys.getOrDefault("size", step.get("size"));
    if (at == null) {
      return List.of();
    }
    if (!buffers.named()) {
      throw at.error("needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    return extents(at, NdRange.LOCAL);
  }

  private List<Buffers.Formula> local(Located at) {
    if (at.isScalar()) {
      if (!parameters.text(at).equals("any")) {
        throw at.error("must be a list of one to three numbers, such as [64], or 'any'");
      }
      return List.of();
    }
    List<Buffers.Formula> extents = extents(at);
    if (extents.isEmpty()) {
      throw at.error("needs one to three numbers, such as [64], or 'any'");
    }
    return extents;
  }

  private List<Buffers.Formula> extents(Located at, String... known) {
    Set<String> all = new LinkedHashSet<>(names);
    for (String prefix : known) {
      addNames(all, prefix);
    }
    return at.sequence(NdRange.DIMENSIONS.size()).stream()
        .map(each -> OutputParser.formula(parameters.text(each), all, each))
        .toList();
  }

  private StepProgram.Code declared(Located at) {
    String name = parameters.text(at);
    StepProgram.Code code = declared.get(name);
    if (code == null) {
      throw at.error(
          "'"
              + name
              + "' is not declared under 'programs'"
              + (declared.isEmpty()
                  ? ""
                  : "; declared are " + String.join(", ", declared.keySet())));
    }
    return code;
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
        List.of(ProgramKind.OPENCL_C, ProgramKind.SPIRV, ProgramKind.PTX),
        ProgramKind::text);
  }

  private String kernelName(Located at) {
    String name = parameters.text(at);
    if (!name.matches(KERNEL)) {
      throw at.error("'" + name + "' is not the name of a kernel");
    }
    return name;
  }
}
