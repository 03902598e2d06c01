package io.isle.apps.chaos.check;

/** What happened to a submission. Contexts are numbered by the run, never twice. */
public sealed interface LedgerEvent {
  int context();

  /** A context was opened. */
  record Opened(int context, String name) implements LedgerEvent {}

  /**
   * A submission was accepted.
   *
   * @param step of the schedule that was the newest at the time
   */
  record Submitted(int context, long point, int step) implements LedgerEvent {}

  /**
   * A submission was not accepted.
   *
   * @param code negated code
   */
  record Refused(int context, int code, int step) implements LedgerEvent {}

  /** The listener heard of a completion. */
  record Ended(int context, long point, int status) implements LedgerEvent {}

  /** The context was asked how the submission ended, and knew. */
  record Told(int context, long point, int status) implements LedgerEvent {}

  /** A result was read; fingerprints of the bytes that must be there and of those that are. */
  record Result(int context, long point, long expected, long actual) implements LedgerEvent {}
}
