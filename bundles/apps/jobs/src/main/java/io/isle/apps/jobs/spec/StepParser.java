package io.isle.apps.jobs.spec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code steps}. */
final class StepParser {
  static final int MAX_STEPS = 256;
  static final int MAX_ARGS = 16;
  static final int MAX_REPEAT = 1_000_000;

  private final Parameters parameters;
  private final Path base;

  StepParser(Parameters parameters, Path base) {
    this.parameters = parameters;
    this.base = base;
  }

  List<JobSpec.Step> steps(Located section) {
    List<JobSpec.Step> steps = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Located at : section.sequence(MAX_STEPS)) {
      JobSpec.Step step = step(at, steps.size(), names);
      if (!names.add(step.name())) {
        throw at.error("another step is called '" + step.name() + "', too");
      }
      steps.add(step);
    }
    if (steps.isEmpty()) {
      throw section.error("needs at least one step");
    }
    return List.copyOf(steps);
  }

  private JobSpec.Step step(Located at, int index, Set<String> earlier) {
    Map<String, Located> keys =
        at.mapping("name", "program", "in", "out", "args", "after", "repeat", "verify", "replay");
    Located programAt = keys.get("program");
    if (programAt == null) {
      throw at.error("needs 'program'");
    }
    String program = parameters.text(programAt);
    if (!program.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw programAt.error("'" + program + "' is not the name of a built-in program");
    }
    after(keys.get("after"), earlier);
    Optional<JobSpec.Out> out = Optional.ofNullable(keys.get("out")).flatMap(this::out);
    int repeat = repeat(keys.get("repeat"));
    if (repeat > 1 && out.isPresent()) {
      throw keys.get("repeat")
          .error("a step with 'out' runs once, or with 'repeat: faults': then 'out' has the first");
    }
    return new JobSpec.Step(
        keys.containsKey("name") ? parameters.text(keys.get("name")) : "step" + index,
        program,
        Optional.ofNullable(keys.get("in")).map(this::in),
        out,
        args(keys.get("args")),
        repeat,
        flag(keys.get("verify")),
        flag(keys.get("replay")),
        programAt);
  }

  private void after(Located at, Set<String> earlier) {
    if (at == null) {
      return;
    }
    List<Located> names = at.isScalar() ? List.of(at) : at.sequence(MAX_STEPS);
    for (Located name : names) {
      if (!earlier.contains(parameters.text(name))) {
        throw name.error(
            "names no earlier step of this stream; in this version the steps of a stream run in the"
                + " order of the file");
      }
    }
  }

  private Path in(Located at) {
    if (!at.isScalar()) {
      throw at.error("must be one file; this version's steps have one input");
    }
    String text = parameters.text(at);
    if (text.isEmpty()) {
      throw at.error("needs a file");
    }
    return Parameters.path(at, base, text);
  }

  private Optional<JobSpec.Out> out(Located at) {
    if (at.isScalar()) {
      return file(at).map(file -> new JobSpec.Out(Optional.of(file), false, false, at));
    }
    Map<String, Located> keys = at.mapping("file", "format", "print");
    boolean lines = lines(keys.get("format"));
    Located printAt = keys.get("print");
    boolean print = flag(printAt);
    if (print && !lines) {
      throw printAt.error("only 'format: lines' can be printed");
    }
    Optional<Path> file = Optional.ofNullable(keys.get("file")).flatMap(this::file);
    return print || file.isPresent()
        ? Optional.of(new JobSpec.Out(file, lines, print, at))
        : Optional.empty();
  }

  private Optional<Path> file(Located at) {
    String text = parameters.text(at);
    return text.isEmpty() ? Optional.empty() : Optional.of(Parameters.path(at, base, text));
  }

  private boolean lines(Located at) {
    String text = at == null ? "raw" : parameters.text(at);
    return switch (text) {
      case "raw" -> false;
      case "lines" -> true;
      default -> throw at.error("'" + text + "' is none of raw, lines");
    };
  }

  private boolean flag(Located at) {
    if (at == null) {
      return false;
    }
    return switch (parameters.text(at)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw at.error("must be true or false");
    };
  }

  private List<JobSpec.Arg> args(Located at) {
    List<JobSpec.Arg> args = new ArrayList<>();
    if (at != null) {
      for (Located arg : at.sequence(MAX_ARGS)) {
        args.add(new JobSpec.Arg(parameters.text(arg), arg));
      }
    }
    return List.copyOf(args);
  }

  private int repeat(Located at) {
    if (at == null) {
      return 1;
    }
    if (parameters.text(at).equals("faults")) {
      return JobSpec.Step.UNTIL_FAULTS;
    }
    long value = Numbers.whole(parameters.text(at)).orElse(0);
    if (value < 1 || value > MAX_REPEAT) {
      throw at.error("must be a number from 1 to " + MAX_REPEAT + ", or 'faults'");
    }
    return (int) value;
  }
}
