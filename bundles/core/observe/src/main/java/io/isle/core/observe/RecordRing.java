package io.isle.core.observe;

import io.isle.api.observe.AuditRecord;
import java.util.ArrayDeque;
import java.util.List;

/** The newest records, in memory: also those that no disk would take. Thread-safe. */
final class RecordRing {
  private final int capacity;
  private final ArrayDeque<AuditRecord> records = new ArrayDeque<>();

  RecordRing(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(AuditRecord entry) {
    if (records.size() == capacity) {
      records.removeFirst();
    }
    records.addLast(entry);
  }

  /** Oldest first. */
  synchronized List<AuditRecord> all() {
    return List.copyOf(records);
  }
}
