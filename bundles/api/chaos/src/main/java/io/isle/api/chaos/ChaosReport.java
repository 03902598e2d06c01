package io.isle.api.chaos;

import java.util.List;
import java.util.Set;

/**
 * The results of a run. Immutable.
 *
 * @param seed seed of the run
 * @param minutes requested duration
 * @param steps executed steps of the schedule
 * @param work results of the submissions
 * @param faults one entry a kind of fault, in the order of the schedule's kinds
 * @param leaks resources with a higher count than before
 * @param recoveries recoveries of all devices
 * @param plants simulated defects
 * @param problems all reasons for a failure of the run, one line each; empty for a successful run
 * @param complete whether the run came to its end; an incomplete run does not search for leaks and
 *     requires no number of faults
 */
public record ChaosReport(
    long seed,
    double minutes,
    int steps,
    Work work,
    List<Fault> faults,
    List<Leak> leaks,
    Recoveries recoveries,
    Set<ChaosRequest.Plant> plants,
    List<String> problems,
    boolean complete) {
  public ChaosReport {
    faults = List.copyOf(faults);
    leaks = List.copyOf(leaks);
    plants = Set.copyOf(plants);
    problems = List.copyOf(problems);
  }

  /**
   * Whether every submission ended once, no result was wrong, no resource leaked, and enough faults
   * took effect.
   */
  public boolean passed() {
    return complete && problems.isEmpty();
  }

  /**
   * Counts of submissions.
   *
   * @param submitted accepted submissions
   * @param completed ended with 0
   * @param checked completed submissions with a compared result; the contents of the others were
   *     destroyed by a later crash
   * @param interrupted ended with EINTR
   * @param timedOut ended with ETIMEDOUT
   * @param noData ended with ENODATA
   * @param noDevice ended with ENODEV
   * @param closed ended with ECLOSED
   * @param failed ended with EIO
   * @param refused submit calls refused with a code that a recovery explains
   * @param lost never ended
   * @param doubled ended more than once
   * @param wrong ended with 0 and a wrong result
   * @param illegal ended or refused with a code that no fault explains
   * @param disagreeing different results from listener and status
   */
  public record Work(
      long submitted,
      long completed,
      long checked,
      long interrupted,
      long timedOut,
      long noData,
      long noDevice,
      long closed,
      long failed,
      long refused,
      long lost,
      long doubled,
      long wrong,
      long illegal,
      long disagreeing) {}

  /**
   * A kind of fault.
   *
   * @param kind name of the kind
   * @param done faults with an observed effect
   * @param wanted required number
   */
  public record Fault(String kind, long done, long wanted) {}

  /**
   * A kind of resource with a higher count than before.
   *
   * @param what name of the kind
   * @param before count before the run
   * @param after count after the run
   */
  public record Leak(String what, long before, long after) {}

  /**
   * Times from detection to the end of a recovery; 0 without a recovery.
   *
   * @param count number of recoveries
   * @param failed failed recoveries
   * @param medianNs median time in nanoseconds
   * @param p99Ns 99th percentile in nanoseconds
   */
  public record Recoveries(long count, long failed, long medianNs, long p99Ns) {}
}
