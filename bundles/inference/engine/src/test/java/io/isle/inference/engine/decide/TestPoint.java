package io.isle.inference.engine.decide;

import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import java.util.List;

/** A decision with two features and one output, whose rule answers {@link #RULE}. */
public final class TestPoint implements DecisionPoint {
  /** Answer of the rule. */
  public static final int RULE = -7;

  /** Greatest value of features and of the output. */
  public static final int MOST = 1000;

  private final DecisionSpec spec;

  /** What the engine gave; null before and after. */
  public volatile Deciders deciders;

  public TestPoint(Outside outside) {
    this("test_point", outside);
  }

  public TestPoint(String name, Outside outside) {
    spec =
        new DecisionSpec(
            name,
            List.of(
                new DecisionFeature("a", "count", -MOST, MOST),
                new DecisionFeature("b", "count", -MOST, MOST)),
            List.of(new DecisionOutput("c", "count", -MOST, MOST, outside)));
  }

  @Override
  public DecisionSpec spec() {
    return spec;
  }

  @Override
  public void heuristic(int[] features, int[] out) {
    out[0] = RULE;
  }

  @Override
  public int score(int[] features, int[] out, int[] actual) {
    return Math.max(0, MOST - Math.abs(out[0] - actual[0]));
  }

  @Override
  public void bind(Deciders given) {
    deciders = given;
  }

  @Override
  public void unbind() {
    deciders = null;
  }
}
