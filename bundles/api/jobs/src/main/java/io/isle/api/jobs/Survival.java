package io.isle.api.jobs;

import java.util.List;

/**
 * Faults during a job, and the reactions to them. Immutable.
 *
 * @param retries pieces of work that were written and submitted again
 * @param recoveries recoveries of the job's devices during the job
 * @param failed submissions that ended with an error
 * @param replayed submissions that the core started again
 * @param wrong results that differ from the CPU's results; counted only by steps that verify
 * @param log the recoveries that the platform still knows, by start
 */
public record Survival(
    long retries, long recoveries, long failed, long replayed, long wrong, List<JobRecovery> log) {
  /** No faults. */
  public static final Survival CALM = new Survival(0, 0, 0, 0, 0, List.of());

  public Survival {
    log = List.copyOf(log);
  }
}
