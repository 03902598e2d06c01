package io.isle.apps.jobs.spec;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What a step runs over and over instead of one program. Immutable.
 *
 * @param temps buffers that only the step has; outputs without files
 * @param turns the outermost loop
 * @param checkpoint turns of the outermost loop between checkpoints; 0 for never, empty for by time
 */
public record Loop(List<Buffers.Output> temps, Turns turns, OptionalLong checkpoint) {
  /** What a claim may ask of a step with a loop. */
  public static final Set<String> MEASURES =
      new LinkedHashSet<>(List.of("turns", "held", "repeated", "seconds"));

  public Loop {
    temps = List.copyOf(temps);
  }

  /** A part of a turn. */
  public sealed interface Inner {}

  /**
   * One dispatch.
   *
   * @param programs in the order of preference, at least one
   */
  public record Call(List<StepProgram> programs) implements Inner {
    public Call {
      programs = List.copyOf(programs);
    }
  }

  /**
   * Turns over inner steps. Formulas may use the variables of the loops around it.
   *
   * @param variable its name; empty for a number of turns
   * @param from first value of the variable
   * @param to value at which the turns end, excluded
   * @param by difference between two turns
   * @param swaps names of buffers that change places after each turn
   * @param until what ends it early
   */
  public record Turns(
      Optional<String> variable,
      Buffers.Formula from,
      Buffers.Formula to,
      Buffers.Formula by,
      List<Inner> steps,
      List<Swap> swaps,
      Optional<Until> until)
      implements Inner {
    public Turns {
      steps = List.copyOf(steps);
      swaps = List.copyOf(swaps);
    }

    private Turns with(UnaryOperator<Call> change) {
      List<Inner> changed = new ArrayList<>();
      for (Inner inner : steps) {
        changed.add(
            switch (inner) {
              case Call call -> change.apply(call);
              case Turns turns -> turns.with(change);
            });
      }
      return new Turns(variable, from, to, by, changed, swaps, until);
    }

    private void collect(List<Call> calls) {
      for (Inner inner : steps) {
        switch (inner) {
          case Call call -> calls.add(call);
          case Turns turns -> turns.collect(calls);
        }
      }
    }
  }

  /** Two names of buffers. */
  public record Swap(String a, String b, Located where) {}

  /**
   * An element that is looked at after every {@code check} turns.
   *
   * @param index position of the element in the buffer
   * @param goal what it is compared with
   */
  public record Until(
      String buffer,
      Buffers.Formula index,
      Comparison comparison,
      Buffers.Formula goal,
      long check,
      Located where) {}

  /** All dispatches, in the order of the file. */
  public List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    turns.collect(calls);
    return calls;
  }

  /** With the program of that place alone; the last one where there are fewer. */
  Loop withProgram(int choice) {
    return new Loop(
        temps,
        turns.with(
            call ->
                new Call(
                    List.of(call.programs().get(Math.min(choice, call.programs().size() - 1))))),
        checkpoint);
  }
}
