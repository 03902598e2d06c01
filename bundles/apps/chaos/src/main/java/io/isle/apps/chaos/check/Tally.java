package io.isle.apps.chaos.check;

import io.isle.api.chaos.ChaosReport.Fault;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Schedule;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Counts the faults that were seen to act. Thread-safe. */
public final class Tally {
  private final Map<FaultKind, Long> done = new EnumMap<>(FaultKind.class);

  public synchronized void add(FaultKind kind) {
    done.merge(kind, 1L, Long::sum);
  }

  /** One entry a kind; how many a run of that length wants. */
  public synchronized List<Fault> faults(double minutes) {
    return Stream.of(FaultKind.values())
        .map(kind -> new Fault(kind.text(), done.getOrDefault(kind, 0L), Schedule.wanted(minutes)))
        .toList();
  }
}
