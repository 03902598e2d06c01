package io.isle.core.testing;

import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.util.List;
import java.util.function.Consumer;

/**
 * An audit book that hands each event on at once, on the recording thread. Nobody reads from it.
 *
 * @param events takes the events
 */
public record RecordedAudit(Consumer<AuditEvent> events) implements Audit {
  @Override
  public void record(AuditEvent event) {
    events.accept(event);
  }

  @Override
  public List<AuditRecord> tail(int limit, AuditFilter filter) {
    throw new UnsupportedOperationException("this book only takes events");
  }

  @Override
  public List<AuditRecord> awaitNext(AuditFilter filter) {
    throw new UnsupportedOperationException("this book only takes events");
  }
}
