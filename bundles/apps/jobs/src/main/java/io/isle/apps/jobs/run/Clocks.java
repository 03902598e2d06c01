package io.isle.apps.jobs.run;

import io.isle.api.jobs.StepTimes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The clocks of all steps that have begun. Thread-safe. */
final class Clocks {
  /** Spans of one kind that are kept of a job, and of a step. */
  private static final int JOB_SPANS = 32_768;

  private static final int STEP_SPANS = 512;

  private final long startNs;
  private final int maxSpans;
  private final List<StepClock> clocks = new ArrayList<>();

  /**
   * @param startNs when the job began
   * @param steps of the job: the more, the fewer spans of each are kept
   */
  Clocks(long startNs, int steps) {
    this.startNs = startNs;
    maxSpans = Math.clamp(JOB_SPANS / Math.max(1, steps), 2, STEP_SPANS);
  }

  synchronized StepClock begin(String stream, String step, String device, String priority) {
    StepClock clock = new StepClock(stream, step, device, priority, startNs, maxSpans);
    clocks.add(clock);
    return clock;
  }

  /** How each stands, by start. */
  synchronized List<StepTimes> times() {
    return clocks.stream()
        .map(StepClock::times)
        .sorted(Comparator.comparingLong(StepTimes::startNs))
        .toList();
  }
}
