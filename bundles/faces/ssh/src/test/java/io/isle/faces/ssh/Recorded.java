package io.isle.faces.ssh;

import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.util.List;
import java.util.Queue;

/** A book that only takes. */
record Recorded(Queue<AuditEvent> events) implements Audit {
  @Override
  public void record(AuditEvent event) {
    events.add(event);
  }

  @Override
  public List<AuditRecord> tail(int limit, AuditFilter filter) {
    return List.of();
  }

  @Override
  public List<AuditRecord> awaitNext(AuditFilter filter) {
    return List.of();
  }
}
