package io.isle.apps.jobs.run;

import io.isle.api.jobs.StepTimes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The clocks of all steps that have begun. Thread-safe. */
final class Clocks {
  private final long startNs;
  private final List<StepClock> clocks = new ArrayList<>();

  /**
   * @param startNs when the job began
   */
  Clocks(long startNs) {
    this.startNs = startNs;
  }

  synchronized StepClock begin(String stream, String step, String device, String priority) {
    StepClock clock = new StepClock(stream, step, device, priority, startNs);
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
