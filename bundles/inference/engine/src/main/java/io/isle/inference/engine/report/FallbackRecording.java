package io.isle.inference.engine.report;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A change of a fallback, in recordings of the JVM. */
@Name("isle_inference_fallback")
@Label("Fallback of a model")
@Description("A model lost its decisions, escalated, or got them back")
@Category({"Isle", "Inference"})
@StackTrace(false)
final class FallbackRecording extends Event {
  @Label("Model")
  String model;

  @Label("Group")
  String group;

  @Label("Device")
  String device;

  @Label("Event")
  String event;

  @Label("Reason")
  String reason;

  @Label("Fields of the Reason")
  String fields;

  @Label("Time in Fallback")
  @Timespan(Timespan.NANOSECONDS)
  long inFallback;
}
