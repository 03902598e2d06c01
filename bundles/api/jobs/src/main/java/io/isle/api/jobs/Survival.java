package io.isle.api.jobs;

import java.util.List;

/**
 * What a job met and what became of it.
 *
 * @param retries pieces of work that were written and submitted again
 * @param recoveries recoveries of its devices that the job went through
 * @param failed submissions that ended with an error
 * @param replayed submissions that the core started again by itself
 * @param wrong results that differ from what the CPU computes; only steps that verify look
 * @param log the recoveries that the platform still knows, by start
 */
public record Survival(
    long retries, long recoveries, long failed, long replayed, long wrong, List<JobRecovery> log) {
  /** Nothing happened. */
  public static final Survival CALM = new Survival(0, 0, 0, 0, 0, List.of());

  public Survival {
    log = List.copyOf(log);
  }
}
