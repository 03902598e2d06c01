package io.isle.apps.jobs.spec;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads {@code loop} and {@code temp} of a step. */
final class LoopParser {
  static final int MAX_DEPTH = 4;
  static final int MAX_STEPS = 256;
  static final long MAX_CHECK = 1_000_000_000;

  /** Keys of a step that a loop takes the place of. */
  static final List<String> REPLACED =
      List.of(
          "program", "args", "size", "local", "offset", "stream", "period", "depth", "piece",
          "verify", "replay");

  private static final String[] KEYS = {
    "for", "from", "to", "by", "times", "steps", "swap", "until", "checkpoint"
  };

  private final Parameters parameters;
  private final Map<String, StepProgram.Code> declared;
  private final Buffers step;

  /** With those that only the loop has. */
  private Buffers buffers;

  private LoopBuffers named;
  private int calls;

  /**
   * For a step.
   *
   * @param declared the job's programs by name
   * @param step the buffers of its {@code in} and {@code out}
   */
  LoopParser(Parameters parameters, Map<String, StepProgram.Code> declared, Buffers step) {
    this.parameters = parameters;
    this.declared = declared;
    this.step = step;
  }

  /** Refuses keys of a step with a loop that make no sense there. */
  static void checkKeys(Map<String, Located> keys) {
    for (String key : REPLACED) {
      if (keys.containsKey(key)) {
        throw keys.get(key).error("is not allowed in a step with 'loop'");
      }
    }
  }

  /**
   * Reads the loop of a step.
   *
   * @param keys of the step
   */
  Loop loop(Map<String, Located> keys) {
    Located at = keys.get("loop");
    if (!step.named()) {
      throw at.error("needs named buffers: 'in: {NAME: {file: ...}}'");
    }
    List<Buffers.Output> temps = temps(keys.get("temp"));
    List<Buffers.Output> outputs = new ArrayList<>(step.outputs());
    outputs.addAll(temps);
    buffers = new Buffers(step.inputs(), outputs, Optional.empty(), true);
    named = new LoopBuffers(parameters, buffers);
    Loop.Turns turns = turns(at, Set.of(), 1);
    Loop loop = new Loop(temps, turns, checkpoint(at.mapping(KEYS).get("checkpoint")));
    named.checkUsed(loop);
    return loop;
  }

  private List<Buffers.Output> temps(Located at) {
    if (at == null) {
      return List.of();
    }
    List<Buffers.Output> temps = new ArrayList<>();
    OutputParser parser = new OutputParser(parameters, step.inputs(), step.symbols());
    at.entries(Buffers.MAX)
        .forEach(
            (name, each) -> {
              if (step.names().contains(name)) {
                throw each.error("is also a buffer of 'in' or 'out'; give another name");
              }
              temps.add(parser.temp(BufferParser.name(name, each), each));
            });
    int all = step.names().size() + temps.size();
    if (all > Buffers.MAX) {
      throw at.error("gives the step " + all + " buffers; the limit is " + Buffers.MAX);
    }
    return temps;
  }

  private Loop.Turns turns(Located at, Set<String> around, int depth) {
    if (depth > MAX_DEPTH) {
      throw at.error("is more than " + MAX_DEPTH + " loops deep");
    }
    Map<String, Located> keys = at.mapping(KEYS);
    if (depth > 1 && keys.containsKey("checkpoint")) {
      throw keys.get("checkpoint").error("is allowed only in the outermost loop");
    }
    if (keys.containsKey("for") == keys.containsKey("times")) {
      throw at.error("needs either 'for' and 'to', or 'times'");
    }
    Optional<String> variable =
        Optional.ofNullable(keys.get("for")).map(given -> variable(given, around));
    Located toAt = keys.get(variable.isPresent() ? "to" : "times");
    if (toAt == null) {
      throw at.error("needs 'to', the value of " + variable.orElse("") + " that ends the loop");
    }
    if (variable.isEmpty()) {
      for (String key : List.of("from", "to", "by")) {
        if (keys.containsKey(key)) {
          throw keys.get(key).error("is allowed only with 'for'");
        }
      }
    }
    Set<String> inside = new LinkedHashSet<>(around);
    variable.ifPresent(inside::add);
    return new Loop.Turns(
        variable,
        bound(keys.get("from"), "0", around, at),
        bound(toAt, "", around, at),
        bound(keys.get("by"), "1", around, at),
        steps(keys.get("steps"), at, inside, depth),
        Optional.ofNullable(keys.get("swap")).map(named::swaps).orElse(List.of()),
        Optional.ofNullable(keys.get("until")).map(this::until));
  }

  private String variable(Located at, Set<String> around) {
    String name = parameters.text(at);
    if (!name.matches(BufferParser.NAME)) {
      throw at.error(
          "a variable's name has 1 to 32 characters of A-Z, a-z, 0-9 and '_', the first a letter");
    }
    if (around.contains(name)) {
      throw at.error("'" + name + "' is already the variable of a loop around this one");
    }
    if (buffers.names().contains(name) || buffers.symbols().contains(name)) {
      throw at.error("'" + name + "' is already a buffer or an extent; give another name");
    }
    for (String prefix : List.of(NdRange.LOCAL, NdRange.SIZE)) {
      if (NdRange.DIMENSIONS.stream().anyMatch(dimension -> name.equals(prefix + dimension))) {
        throw at.error("'" + name + "' already has a meaning in formulas; give another name");
      }
    }
    return name;
  }

  private Buffers.Formula bound(Located at, String otherwise, Set<String> around, Located loop) {
    return at == null
        ? OutputParser.formula(otherwise, Set.of(), loop)
        : OutputParser.formula(parameters.text(at), names(around), at);
  }

  private Set<String> names(Set<String> variables) {
    Set<String> names = new LinkedHashSet<>(buffers.formulaNames());
    names.addAll(variables);
    return names;
  }

  private List<Loop.Inner> steps(Located at, Located loop, Set<String> variables, int depth) {
    if (at == null) {
      throw loop.error("needs 'steps'");
    }
    List<Loop.Inner> steps = new ArrayList<>();
    for (Located each : at.sequence(MAX_STEPS)) {
      steps.add(inner(each, variables, depth));
    }
    if (steps.isEmpty()) {
      throw at.error("needs at least one step");
    }
    return steps;
  }

  private Loop.Inner inner(Located at, Set<String> variables, int depth) {
    Map<String, Located> keys = at.mapping("program", "args", "size", "local", "offset", "loop");
    if (keys.containsKey("loop") == keys.containsKey("program")) {
      throw at.error("needs either 'program' or 'loop'");
    }
    if (keys.containsKey("loop")) {
      if (keys.size() > 1) {
        throw at.error("an inner step with 'loop' has no other keys");
      }
      return turns(keys.get("loop"), variables, depth + 1);
    }
    if (++calls > MAX_STEPS) {
      throw at.error("the loop has more than " + MAX_STEPS + " inner steps");
    }
    return new Loop.Call(
        new ProgramParser(parameters, keys, buffers, declared, variables)
            .programs(keys.get("program")));
  }

  private Loop.Until until(Located at) {
    Map<String, Located> keys = at.mapping("buffer", "index", "goal", "check");
    for (String key : List.of("buffer", "goal")) {
      if (!keys.containsKey(key)) {
        throw at.error("needs 'buffer' and 'goal'");
      }
    }
    Located goalAt = keys.get("goal");
    String goal = parameters.text(goalAt).strip();
    Comparison comparison =
        Comparison.startOf(goal)
            .orElseThrow(
                () -> goalAt.error("must begin with ==, !=, <=, >=, < or >, as in '== 0'"));
    return new Loop.Until(
        named.buffer(keys.get("buffer")),
        bound(keys.get("index"), "0", Set.of(), at),
        comparison,
        OutputParser.formula(goal.substring(comparison.symbol().length()), names(Set.of()), goalAt),
        keys.containsKey("check") ? parameters.whole(keys.get("check"), 1, MAX_CHECK) : 1,
        at);
  }

  private OptionalLong checkpoint(Located at) {
    return at == null
        ? OptionalLong.empty()
        : OptionalLong.of(parameters.whole(at, 0, Long.MAX_VALUE));
  }
}
