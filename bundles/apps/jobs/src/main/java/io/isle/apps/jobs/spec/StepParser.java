package io.isle.apps.jobs.spec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code steps}. */
final class StepParser {
  static final int MAX_STEPS = 256;
  static final int MAX_REPEAT = 1_000_000;

  /** Keys of a step with a program. */
  static final List<String> KEYS =
      List.of(
          "name", "program", "device", "in", "out", "args", "size", "stream", "after", "repeat",
          "for", "period", "depth", "piece", "hold", "barrier", "verify", "replay");

  private final Parameters parameters;
  private final Path base;
  private final ActionParser actions;

  /** What actions of all streams measure, as claims name it. */
  private final Set<String> measures = new LinkedHashSet<>();

  StepParser(Parameters parameters, Path base, ActionParser actions) {
    this.parameters = parameters;
    this.base = base;
    this.actions = actions;
  }

  /** What actions of all streams measure, as claims name it. */
  Set<String> measures() {
    return measures;
  }

  /**
   * The steps of a stream.
   *
   * @param stream its name
   */
  List<JobSpec.Step> steps(Located section, String stream) {
    List<JobSpec.Step> steps = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Located at : section.sequence(MAX_STEPS)) {
      JobSpec.Step step = step(at, steps.size(), names, stream);
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

  private JobSpec.Step step(Located at, int index, Set<String> earlier, String stream) {
    Set<String> kinds = actions.keys();
    Map<String, Located> keys =
        at.mapping(Stream.concat(KEYS.stream(), kinds.stream()).toArray(String[]::new));
    Optional<ActionCall> action = actions.call(keys);
    if (action.isPresent()) {
      return action(action.get(), keys, index, earlier, stream);
    }
    Located programAt = keys.get("program");
    if (programAt == null) {
      throw at.error(
          "needs 'program'" + (kinds.isEmpty() ? "" : ", or one of " + String.join(", ", kinds)));
    }
    Located in = keys.get("in");
    Located out = keys.get("out");
    boolean named = BufferParser.named(in, out);
    if (!named && keys.containsKey("stream")) {
      throw keys.get("stream").error("needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    Optional<Buffers> buffers =
        named
            ? Optional.of(
                new BufferParser(parameters, base, stream).buffers(in, out, keys.get("stream")))
            : Optional.empty();
    JobSpec.Pace pace = new PaceParser(parameters, keys).pace(named);
    int repeat = repeat(keys.get("repeat"), keys.get("for"), buffers, out);
    boolean verify = flag(keys.get("verify"));
    if (named && verify) {
      throw keys.get("verify").error("is for a step with one input; use 'expect' of an output");
    }
    return new JobSpec.Step(
        keys.containsKey("name") ? name(keys.get("name")) : "step" + index,
        new ProgramParser(parameters, base, keys, buffers).programs(programAt),
        named ? Optional.empty() : Optional.ofNullable(in).map(this::in),
        named ? Optional.empty() : Optional.ofNullable(out).flatMap(this::out),
        buffers,
        Optional.empty(),
        Optional.ofNullable(keys.get("device")).map(new DeviceParser(parameters)::device),
        after(keys.get("after"), earlier, stream, buffers),
        repeat,
        pace,
        verify,
        flag(keys.get("replay")),
        programAt);
  }

  /** A step of a kind that another bundle brings. */
  private JobSpec.Step action(
      ActionCall call, Map<String, Located> keys, int index, Set<String> earlier, String stream) {
    String name = keys.containsKey("name") ? name(keys.get("name")) : "step" + index;
    for (String measure : call.action().measures()) {
      if (!measures.add(JobParser.stepMeasure(name, measure))) {
        throw call.where().error("claims have one name for the measures of two steps, " + name);
      }
    }
    return new JobSpec.Step(
        name,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(call),
        Optional.ofNullable(keys.get("device")).map(new DeviceParser(parameters)::device),
        after(keys.get("after"), earlier, stream, Optional.empty()),
        1,
        JobSpec.Pace.FREE,
        false,
        false,
        call.where());
  }

  /** Without '/', so that references are clear. */
  private String name(Located at) {
    String name = parameters.text(at);
    if (!name.matches(JobParser.NAME)) {
      throw at.error("a name is 1 to 64 letters, digits, '.', '_' or '-'");
    }
    return name;
  }

  private List<JobSpec.After> after(
      Located at, Set<String> earlier, String stream, Optional<Buffers> buffers) {
    List<JobSpec.After> after = new ArrayList<>();
    if (at != null) {
      List<Located> names = at.isScalar() ? List.of(at) : at.sequence(MAX_STEPS);
      for (Located name : names) {
        after.add(after(parameters.text(name), name, earlier, stream));
      }
    }
    for (Buffers.Input input : buffers.map(Buffers::inputs).orElse(List.of())) {
      if (input.source() instanceof Buffers.Source.OfStep source) {
        after.add(new JobSpec.After(source.step(), input.where()));
      }
    }
    return List.copyOf(after);
  }

  private static JobSpec.After after(String text, Located at, Set<String> earlier, String stream) {
    Buffers.StepRef ref = BufferParser.stepRef(stream, text);
    if (ref.stream().equals(stream) && !earlier.contains(ref.step())) {
      throw at.error(
          "names no earlier step of this stream; the steps of a stream run in the order of the"
              + " file. Write STREAM/STEP for one of another stream");
    }
    return new JobSpec.After(ref, at);
  }

  private Path in(Located at) {
    if (!at.isScalar()) {
      throw at.error("must be one file, or name its buffers: {NAME: {file: ...}}");
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

  /** A step as a whole may write its result again and again; what was streamed is written once. */
  private int repeat(Located at, Located forAt, Optional<Buffers> buffers, Located out) {
    boolean streams = buffers.map(named -> named.stream().isPresent()).orElse(true);
    boolean writes = streams && out != null && (buffers.isPresent() || out(out).isPresent());
    if (forAt != null && writes) {
      throw forAt.error("a step with 'out' runs once");
    }
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
    if (value > 1 && writes) {
      throw at.error(
          "a step with 'out' runs once, or with 'repeat: faults': then 'out' has the first");
    }
    return (int) value;
  }
}
