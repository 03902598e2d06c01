package io.isle.inference.engine.report;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One decision, in recordings of the JVM that ask for it. */
@Name("isle_inference_decision")
@Label("Decision")
@Description("A decision by a model or by the rule in its place")
@Category({"Isle", "Inference"})
@Enabled(false)
@StackTrace(false)
final class DecisionRecording extends Event {
  @Label("Model")
  String model;

  @Label("Group")
  String group;

  @Label("By the Model")
  boolean byModel;

  @Label("Features")
  String features;

  @Label("Answer")
  String answer;
}
