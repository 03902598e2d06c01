package io.isle.inference.engine.report;

import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.InferenceListener;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Tells of fallbacks and drifts wherever somebody looks: audit log, log, listeners, recordings of
 * the JVM. Never blocks; any thread. The user whose command runs on the calling thread is the actor
 * of the audit record.
 */
public final class InferenceReports implements AutoCloseable {
  private static final String PREFIX = "ISLE-INFERENCE: ";

  private final Supplier<Audit> audit;
  private final Logger log;
  private final Listeners listeners;

  /**
   * @param audit gives the audit log, or null while none is present
   * @param log gets the lines
   */
  public InferenceReports(Supplier<Audit> audit, Logger log) {
    this.audit = audit;
    this.log = log;
    listeners = new Listeners(log);
  }

  /** A listener came. */
  public void add(InferenceListener listener) {
    listeners.add(listener);
  }

  /** A listener went. */
  public void remove(InferenceListener listener) {
    listeners.remove(listener);
  }

  /** A fallback has changed. */
  public void fallback(FallbackEvent event) {
    record(event.type().text(), event.device(), event.model(), ReportText.detail(event));
    String line = PREFIX + ReportText.line(event);
    switch (event.type()) {
      case ESCALATION_CRITICAL, AUTO_DISABLED -> log.error(line);
      case ENTERED, ESCALATION_WARNING -> log.warn(line);
      case RECOVERY_ATTEMPT, RECOVERED, ADMIN_RESET -> log.info(line);
    }
    FallbackRecording recording = new FallbackRecording();
    recording.model = event.model();
    recording.group = event.group();
    recording.device = event.device();
    recording.event = event.type().text();
    recording.reason = event.reason().text();
    recording.fields = event.reason().fields();
    recording.inFallback = event.durationNs();
    recording.commit();
    listeners.tell(listener -> listener.onFallback(event));
  }

  /** A drift has begun or ended. */
  public void drift(DriftEvent event) {
    record(ReportText.name(event), "", event.model(), ReportText.detail(event));
    log.warn(PREFIX + ReportText.line(event));
    DriftRecording recording = new DriftRecording();
    recording.model = event.model();
    recording.group = event.group();
    recording.detected = event.detected();
    recording.accuracy = event.accuracy();
    recording.heuristicAccuracy = event.heuristicAccuracy();
    recording.outcomes = event.outcomes();
    recording.commit();
    listeners.tell(listener -> listener.onDrift(event));
  }

  private void record(String what, String device, String model, String detail) {
    Audit book = audit.get();
    if (book != null) {
      book.record(
          AuditEvent.of(Actor.current(), "inference." + what)
              .device(device)
              .object(model)
              .detail(detail));
    }
  }

  /** Ends the thread of the listeners. */
  @Override
  public void close() {
    listeners.close();
  }
}
