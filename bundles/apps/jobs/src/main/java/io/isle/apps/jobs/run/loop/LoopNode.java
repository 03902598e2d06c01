package io.isle.apps.jobs.run.loop;

import java.util.List;

/** A part of a loop whose names have become numbers. Immutable. */
public sealed interface LoopNode {
  /** A whole number that may depend on the variables of the loops around it. */
  @FunctionalInterface
  interface Whole {
    /**
     * Its value.
     *
     * @param variables values by number; those of loops around it are set
     */
    long at(long[] variables);
  }

  /**
   * One dispatch.
   *
   * @param step number of the inner step
   */
  record Run(int step) implements LoopNode {}

  /**
   * Turns over steps.
   *
   * @param variable number of its variable; -1 for none
   * @param from value of the variable in the first turn, within +-{@link Cursor#MOST}
   * @param to value at which the turns end, excluded; within the same bounds
   * @param by difference between two turns; not 0, within the same bounds
   * @param swaps pairs of names that change places after each turn
   * @param until number of what may end it early; -1 for nothing
   */
  record Turns(
      int variable,
      Whole from,
      Whole to,
      Whole by,
      List<LoopNode> steps,
      List<Swap> swaps,
      int until)
      implements LoopNode {
    public Turns {
      steps = List.copyOf(steps);
      swaps = List.copyOf(swaps);
    }
  }

  /** Two names, by number. */
  record Swap(int a, int b) {}
}
