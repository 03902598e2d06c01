package io.isle.apps.jobs.run;

import io.isle.api.accel.Context;

/** Tells the clock of the step that runs what a stream's context has completed. Thread-safe. */
final class ClockFeed {
  private volatile StepClock clock;
  private volatile Context heard;

  /** Whose work is submitted from now on. */
  void clock(StepClock next) {
    clock = next;
  }

  /** Work of the step that runs was submitted, as {@link StepClock#submitted}. */
  void submitted(long point, long sinceNs) {
    clock.submitted(point, sinceNs);
  }

  /**
   * Tells of completions of this context only, whose points count anew.
   *
   * @throws io.isle.api.accel.AccelException as {@link Context#listen}
   */
  void hear(Context context) {
    heard = context;
    StepClock now = clock;
    if (now != null) {
      now.renewed();
    }
    context.listen(
        (from, completion) -> {
          StepClock current = clock;
          if (current != null && heard == context) {
            current.completed(completion);
          }
        },
        Runnable::run);
  }

  /** Tells of nothing until the next context. */
  void mute() {
    heard = null;
  }
}
