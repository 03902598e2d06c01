package io.isle.apps.jobs.spec;

import io.isle.apps.jobs.formula.Numbers;
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
          "name", "program", "device", "in", "out", "args", "size", "local", "offset", "stream",
          "after", "repeat", "for", "period", "depth", "piece", "hold", "barrier", "verify",
          "replay", "loop", "temp");

  private final Parameters parameters;
  private final ActionParser actions;
  private final Map<String, StepProgram.Code> programs;

  /** What actions and loops of all streams measure, as claims name it. */
  private final Set<String> measures = new LinkedHashSet<>();

  /**
   * @param programs that the job declares, by name
   */
  StepParser(Parameters parameters, ActionParser actions, Map<String, StepProgram.Code> programs) {
    this.parameters = parameters;
    this.actions = actions;
    this.programs = programs;
  }

  /** What actions and loops of all streams measure, as claims name it. */
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
        throw at.error(
            "two steps of the stream have the name '" + step.name() + "'; rename one of the steps");
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
    boolean loops = keys.containsKey("loop");
    Located programAt = keys.get(loops ? "loop" : "program");
    if (programAt == null) {
      throw at.error(
          "needs 'program' or 'loop'"
              + (kinds.isEmpty() ? "" : ", or one of " + String.join(", ", kinds)));
    }
    if (loops) {
      LoopParser.checkKeys(keys);
    } else if (keys.containsKey("temp")) {
      throw keys.get("temp").error("is allowed only in a step with 'loop'");
    }
    Buffers buffers =
        new BufferParser(parameters, stream)
            .buffers(keys.get("in"), keys.get("out"), keys.get("stream"));
    JobSpec.Pace pace = new PaceParser(parameters, keys).pace(buffers.named());
    int repeat = repeat(keys.get("repeat"), keys.get("for"), buffers);
    boolean verify = parameters.flag(keys.get("verify"));
    if (buffers.named() && verify) {
      throw keys.get("verify")
          .error("is allowed only without named buffers; use 'expect' of an output");
    }
    String name = name(keys, index);
    if (loops) {
      measures(name, Loop.MEASURES, programAt);
    }
    return new JobSpec.Step(
        name,
        loops
            ? List.of()
            : new ProgramParser(parameters, keys, buffers, programs, Set.of()).programs(programAt),
        buffers,
        Optional.empty(),
        loops
            ? Optional.of(new LoopParser(parameters, programs, buffers).loop(keys))
            : Optional.empty(),
        device(keys),
        after(keys.get("after"), earlier, stream, buffers),
        repeat,
        pace,
        verify,
        parameters.flag(keys.get("replay")),
        programAt);
  }

  private void measures(String step, Set<String> names, Located where) {
    for (String measure : names) {
      if (!measures.add(JobParser.stepMeasure(step, measure))) {
        throw where.error(
            "claims name the measures of two steps alike, step."
                + JobParser.measured(step)
                + "; rename one of the steps");
      }
    }
  }

  private String name(Map<String, Located> keys, int index) {
    return keys.containsKey("name") ? parameters.name(keys.get("name")) : "step" + index;
  }

  private Optional<JobSpec.Device> device(Map<String, Located> keys) {
    return Optional.ofNullable(keys.get("device")).map(new DeviceParser(parameters)::device);
  }

  /** A step of a kind that another bundle brings. */
  private JobSpec.Step action(
      ActionCall call, Map<String, Located> keys, int index, Set<String> earlier, String stream) {
    String name = name(keys, index);
    measures(name, call.action().measures(), call.where());
    return new JobSpec.Step(
        name,
        List.of(),
        Buffers.NONE,
        Optional.of(call),
        Optional.empty(),
        device(keys),
        after(keys.get("after"), earlier, stream, Buffers.NONE),
        1,
        JobSpec.Pace.FREE,
        false,
        false,
        call.where());
  }

  private List<JobSpec.After> after(
      Located at, Set<String> earlier, String stream, Buffers buffers) {
    List<JobSpec.After> after = new ArrayList<>();
    if (at != null) {
      List<Located> names = at.isScalar() ? List.of(at) : at.sequence(MAX_STEPS);
      for (Located name : names) {
        after.add(after(parameters.text(name), name, earlier, stream));
      }
    }
    for (Buffers.Input input : buffers.inputs()) {
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
          "is not an earlier step of this stream; the steps of a stream run in the order of the"
              + " file. Write STREAM/STEP for a step of another stream");
    }
    return new JobSpec.After(ref, at);
  }

  /** A step as a whole may write its result again and again; what was streamed is written once. */
  private int repeat(Located at, Located forAt, Buffers buffers) {
    if (forAt != null && buffers.writesOnce()) {
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
    if (value > 1 && buffers.writesOnce()) {
      throw at.error(
          "a step with 'out' runs once, or with 'repeat: faults'; 'out' then has the first"
              + " results");
    }
    return (int) value;
  }
}
