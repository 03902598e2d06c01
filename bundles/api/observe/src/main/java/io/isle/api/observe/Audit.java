package io.isle.api.observe;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The book of control actions and recoveries. Thread-safe. */
@ProviderType
public interface Audit {
  /** Most characters that are kept of a text of an event. */
  int MAX_TEXT = 512;

  /** Most records that one {@link #tail} returns. */
  int MAX_TAIL = 10_000;

  /**
   * Writes an event down, soon and on another thread. Never blocks and never throws: an actor's
   * events beyond its rate are counted, and so are all when the queue is full; the counts are
   * written down in their place.
   */
  void record(AuditEvent event);

  /**
   * The newest records that match, oldest first. Sees what this thread recorded before. May read
   * files.
   *
   * @param limit 1 to {@link #MAX_TAIL}; beyond counts as the nearest bound
   */
  List<AuditRecord> tail(int limit, AuditFilter filter);

  /**
   * As {@link #tail} with {@link #MAX_TAIL}, but waits until there is a record that matches.
   *
   * @param filter whose {@link AuditFilter#afterNumber} says what the caller has already
   * @return empty only when the book is closed
   */
  List<AuditRecord> awaitNext(AuditFilter filter) throws InterruptedException;
}
