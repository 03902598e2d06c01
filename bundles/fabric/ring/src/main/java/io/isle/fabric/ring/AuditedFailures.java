package io.isle.fabric.ring;

import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.fabric.ring.health.FailureChange;
import io.isle.fabric.ring.health.FailureSink;
import java.util.function.Supplier;

/** Records failures of nodes and their ends. */
final class AuditedFailures implements FailureSink {
  private final AuditTrail trail;

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AuditedFailures(Supplier<Audit> audit) {
    trail = new AuditTrail(audit, RingException::new);
  }

  @Override
  public void changed(String ring, String teller, FailureChange change) {
    NodeFailure failure = change.failure();
    String text =
        failure.lasts()
            ? failure.cause().text() + ": " + failure.text()
            : "here again after "
                + (failure.endedNs() - failure.detectedNs()) / 1_000_000
                + " ms, "
                + failure.cause().text();
    trail.record(
        AuditEvent.of(Actor.PLATFORM, failure.lasts() ? "ring.failed" : "ring.returned")
            .object(failure.node())
            .detail("ring " + ring + ", told by " + teller + ": " + text));
  }
}
