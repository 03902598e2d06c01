package io.isle.core.accel.sched;

/** Writes the journal when there is one. */
final class Events {
  private final CoreTime time;
  private final int contexts;
  private Journal journal;

  Events(CoreTime time, int contexts) {
    this.time = time;
    this.contexts = contexts;
  }

  /** Null ends it. */
  void setJournal(Journal now) {
    journal = now;
  }

  boolean isOn() {
    return journal != null;
  }

  /** Times are the machine's; the journal has the caller's. */
  void event(int kind, int context, long value, long budget, long deadline) {
    if (journal != null) {
      long due = deadline == 0 ? 0 : time.callers(deadline);
      journal.event(kind, time.callers(time.now()), context, value, budget, due);
    }
  }

  void server(int kind, int s, long budget, long deadline) {
    event(kind, s < contexts ? s : contexts - 1 - s, 0, budget, deadline);
  }
}
