package io.isle.apps.jobs.run;

import io.isle.api.accel.Context;

/**
 * Tells the clock of the step that runs what a stream's context has completed. Used by the stream's
 * thread; the thread of completions takes no lock here.
 */
final class ClockFeed {
  private volatile StepClock clock;
  private Context heard;

  /** Whose work is submitted from now on. */
  void clock(StepClock next) {
    next.renewed(heard);
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
    renewed(context);
    context.listen(
        (from, completion) -> {
          StepClock current = clock;
          if (current != null) {
            current.completed(context, completion);
          }
        },
        Runnable::run);
  }

  /** Tells of nothing until the next context. */
  void mute() {
    renewed(null);
  }

  private void renewed(Context context) {
    heard = context;
    if (clock != null) {
      clock.renewed(context);
    }
  }
}
