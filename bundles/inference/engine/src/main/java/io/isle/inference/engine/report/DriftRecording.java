package io.isle.inference.engine.report;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The beginning or the end of a drift, in recordings of the JVM. */
@Name("isle_inference_drift")
@Label("Drift of a model")
@Description("A model decides worse than it should, or does so no longer")
@Category({"Isle", "Inference"})
@StackTrace(false)
final class DriftRecording extends Event {
  @Label("Model")
  String model;

  @Label("Group")
  String group;

  @Label("Detected")
  boolean detected;

  @Label("Accuracy")
  double accuracy;

  @Label("Accuracy of the Rule")
  double heuristicAccuracy;

  @Label("Outcomes")
  long outcomes;
}
