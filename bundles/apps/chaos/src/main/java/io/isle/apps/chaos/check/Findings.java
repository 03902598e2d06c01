package io.isle.apps.chaos.check;

import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosReport.Fault;
import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.api.chaos.ChaosReport.Recoveries;
import io.isle.api.chaos.ChaosRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that a run came to. Pure.
 *
 * @param steps of the schedule that were taken
 * @param problems that are none of submissions, faults and leaks
 */
public record Findings(
    int steps,
    Verdict verdict,
    List<Fault> faults,
    List<Leak> leaks,
    Recoveries recoveries,
    List<String> problems) {
  public Findings {
    faults = List.copyOf(faults);
    leaks = List.copyOf(leaks);
    problems = List.copyOf(problems);
  }

  /**
   * With a line for each violation, of submissions first.
   *
   * @param complete whether the run came to its end
   */
  public ChaosReport report(ChaosRequest request, boolean complete) {
    List<String> all = new ArrayList<>(verdict.problems());
    all.addAll(problems);
    for (Leak leak : leaks) {
      all.add(
          "leak: " + leak.what() + ": " + leak.before() + " before, " + leak.after() + " after");
    }
    for (Fault fault : faults) {
      if (fault.done() < fault.wanted()) {
        all.add(
            "too few faults: " + fault.kind() + " " + fault.done() + ", wanted " + fault.wanted());
      }
    }
    return new ChaosReport(
        request.seed(),
        request.minutes(),
        steps,
        verdict.work(),
        faults,
        leaks,
        recoveries,
        request.plants(),
        all,
        complete);
  }
}
