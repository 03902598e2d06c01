package io.isle.api.chaos;

import java.util.List;
import java.util.Set;

/**
 * What became of the work.
 *
 * @param minutes asked for
 * @param steps of the schedule that were taken
 * @param work how submissions ended
 * @param faults one entry a kind, in the order of the schedule's kinds
 * @param leaks resources of which there are more than before
 * @param recoveries of all devices
 * @param plants the defects that were pretended
 * @param problems everything that makes the run fail, one line each; empty: all is well
 * @param complete whether it came to its end; if not, there are no leaks, because nobody looked,
 *     and no number of faults was wanted
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

  /** Whether every submission ended once, none wrong, nothing leaked, with enough faults. */
  public boolean passed() {
    return complete && problems.isEmpty();
  }

  /**
   * Counts of submissions.
   *
   * @param submitted accepted ones
   * @param completed ended with 0
   * @param checked completed ones whose result was compared; of the others a later crash took the
   *     contents first
   * @param interrupted EINTR
   * @param timedOut ETIMEDOUT
   * @param noData ENODATA
   * @param noDevice ENODEV
   * @param closed ECLOSED
   * @param failed EIO
   * @param refused calls of submit that were refused with a code that a recovery explains
   * @param lost never ended
   * @param doubled ended more than once
   * @param wrong ended with 0 and a result that is not the right one
   * @param illegal ended or refused with a code that nothing explains
   * @param disagreeing whose listener and status say different things
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
   * @param done how many were seen to act
   * @param wanted at least so many
   */
  public record Fault(String kind, long done, long wanted) {}

  /** A kind of resource of which something stayed. */
  public record Leak(String what, long before, long after) {}

  /** Times from detection to the end of recovery; 0 without any. */
  public record Recoveries(long count, long failed, long medianNs, long p99Ns) {}
}
