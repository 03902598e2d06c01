package io.isle.api.inference;

/**
 * One input of a decision.
 *
 * @param name {@code [a-z0-9_]{1,31}}, distinct within a decision
 * @param unit {@code [A-Za-z0-9_/%]{1,15}}, such as {@code ns} or {@code count}
 * @param min least value that the owner gathers
 * @param max greatest value, at least {@code min}
 */
public record DecisionFeature(String name, String unit, int min, int max) {
  /** Checks name, unit and range. */
  public DecisionFeature {
    DecisionSpec.check(name, unit, min, max);
  }
}
