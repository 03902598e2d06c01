package io.isle.core.accel.submit;

/** Where a context was opened, and is ended. May block; thread-safe. */
public interface ContextHome {
  /**
   * Ends a context: pending work with ECLOSED, work in flight as the device says. When it is being
   * ended by another thread, this waits until every point has its status.
   */
  void close(ExecutionContext context);

  /**
   * As {@link #close}, but the device is asked to let work in flight go, which ends with ECLOSED.
   *
   * @param why said to its tenant and in the book
   * @return the rest, to be run once: waits until its work has left the device, and frees its
   *     record
   */
  Runnable evict(ExecutionContext context, String why);
}
