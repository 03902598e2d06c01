package io.isle.inference.engine.report;

import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import java.util.Locale;

/** Events in one line, as the accelerator framework writes them (45.6b.5). Pure functions. */
final class ReportText {
  private static final long SECOND_NS = 1_000_000_000L;

  private ReportText() {}

  /** {@code model=io_scheduler event=entered reason=input_anomaly group=web feature=2}. */
  static String line(FallbackEvent event) {
    return "model=" + event.model() + " event=" + event.type().text() + " " + detail(event);
  }

  /** The same without model and event. */
  static String detail(FallbackEvent event) {
    FallbackReason reason = event.reason();
    StringBuilder text = new StringBuilder("reason=").append(reason.text());
    field(text, "group", event.group());
    if (!reason.fields().startsWith("device=")) {
      field(text, "device", event.device());
    }
    if (event.type() == FallbackEvent.Type.ENTERED) {
      text.append(reason.fields().isEmpty() ? "" : " ").append(reason.fields());
    } else {
      text.append(" duration_s=").append(event.durationNs() / SECOND_NS);
    }
    return text.toString();
  }

  /** {@code model=page_prefetch event=drift accuracy=0.520 ...}. */
  static String line(DriftEvent event) {
    return "model=" + event.model() + " event=" + name(event) + " " + detail(event);
  }

  /** The same without model and event. */
  static String detail(DriftEvent event) {
    StringBuilder text = new StringBuilder(64);
    if (!event.group().isEmpty()) {
      text.append("group=").append(event.group()).append(' ');
    }
    return text.append(
            String.format(
                Locale.ROOT,
                "accuracy=%.3f heuristic_accuracy=%.3f advantage=%.3f outcomes=%d",
                event.accuracy(),
                event.heuristicAccuracy(),
                event.advantage(),
                event.outcomes()))
        .toString();
  }

  /** {@code drift} or {@code drift_ended}. */
  static String name(DriftEvent event) {
    return event.detected() ? "drift" : "drift_ended";
  }

  private static void field(StringBuilder text, String name, String value) {
    if (!value.isEmpty()) {
      text.append(' ').append(name).append('=').append(value);
    }
  }
}
