package io.isle.api.observe;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The audit log of control actions and recoveries. Thread-safe. */
@ProviderType
public interface Audit {
  /** Longest stored text of an event in characters. */
  int MAX_TEXT = 512;

  /** Largest result of {@link #tail}. */
  int MAX_TAIL = 10_000;

  /**
   * Stores an event soon, on another thread. Never blocks and never throws. Events above an actor's
   * rate, and all events while the queue is full, are counted only; a later record has the count.
   */
  void record(AuditEvent event);

  /**
   * The newest records that match, oldest first. The result includes earlier events of this thread.
   * May read files.
   *
   * @param limit 1 to {@link #MAX_TAIL}; a value out of range counts as the nearest bound
   */
  List<AuditRecord> tail(int limit, AuditFilter filter);

  /**
   * As {@link #tail} with {@link #MAX_TAIL}, after a wait for at least one matching record.
   *
   * @param filter {@link AuditFilter#afterNumber} is the newest record that the caller already has
   * @return empty only after the close of the log
   * @throws InterruptedException if the thread is interrupted
   */
  List<AuditRecord> awaitNext(AuditFilter filter) throws InterruptedException;
}
