package io.isle.inference.engine.report;

import java.util.Arrays;

/**
 * Puts the decisions of one decider into recordings of the JVM, when a recording asks for them.
 * Otherwise it costs one read and allocates nothing. One thread at a time.
 */
public final class DecisionTrace {
  private final String model;
  private final String group;
  // Kept to ask whether it is enabled: an event of its own for each question would be garbage.
  private final DecisionRecording probe = new DecisionRecording();

  /**
   * @param model name of the decision
   */
  public DecisionTrace(String model, String group) {
    this.model = model;
    this.group = group;
  }

  /** A decision was made. */
  public void decided(int[] features, int[] answer, boolean byModel) {
    if (probe.isEnabled()) {
      record(features, answer, byModel);
    }
  }

  private void record(int[] features, int[] answer, boolean byModel) {
    DecisionRecording event = new DecisionRecording();
    event.model = model;
    event.group = group;
    event.byModel = byModel;
    event.features = Arrays.toString(features);
    event.answer = Arrays.toString(answer);
    event.commit();
  }
}
