package io.isle.core.observe;

import io.isle.api.observe.AuditRecord;
import java.util.ArrayDeque;
import java.util.List;

/** The newest records, in memory: also those that no disk would take. Thread-safe. */
final class RecordRing {
  private final int capacity;
  private final ArrayDeque<AuditRecord> records = new ArrayDeque<>();
  private boolean closed;

  RecordRing(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(AuditRecord entry) {
    if (records.size() == capacity) {
      records.removeFirst();
    }
    records.addLast(entry);
    notifyAll();
  }

  /** Number of the newest record; 0 while there is none. */
  synchronized long newest() {
    return records.isEmpty() ? 0 : records.getLast().number();
  }

  /** Waits for a record with a greater number; false once nothing is added any more. */
  synchronized boolean awaitAfter(long number) throws InterruptedException {
    while (newest() <= number && !closed) {
      wait();
    }
    return newest() > number;
  }

  /** Nothing is added any more: nobody waits for it. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Oldest first. */
  synchronized List<AuditRecord> all() {
    return List.copyOf(records);
  }
}
