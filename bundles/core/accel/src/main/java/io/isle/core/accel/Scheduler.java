package io.isle.core.accel;

/**
 * Decides which context's next submission starts (accelerator framework, 42.2.4). Pure: no thread,
 * clock or I/O. Contexts are small indices. Used by one {@link DeviceMachine}.
 */
interface Scheduler {
  /** The context has a submission that could start. Idempotent. */
  void ready(int context, int priority);

  /** The context has none. Idempotent. */
  void idle(int context, int priority);

  boolean hasReady();

  /** The context to serve now, which stays ready; -1 if none is. */
  int next(long now);

  /** A submission of the context is in flight from now on. */
  default void started(int context) {}

  /** A submission of the context is not in flight any more. */
  default void left(int context) {}

  /** A submission of the context ended after {@code busyNs} of device time. */
  void charge(int context, long busyNs, long now);
}
