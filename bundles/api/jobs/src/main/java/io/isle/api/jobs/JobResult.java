package io.isle.api.jobs;

import java.util.List;

/**
 * How a job ended.
 *
 * @param job its name
 * @param device id of its device; null if it never got one
 * @param tier of that device; 0 if it never got one
 * @param elapsedNs wall time of the run
 * @param bytes input that was worked through
 * @param blocks results that were taken from the device (the program's own unit)
 * @param survival crashes and recoveries on the way
 * @param steps those that have begun, by start
 * @param measured shares of groups and latencies, once the job is done
 * @param error why it failed; null if it did not
 * @param exitStatus code of {@link io.isle.api.base.ExitStatus}; 0 if all is well
 */
public record JobResult(
    String job,
    JobState state,
    String device,
    int tier,
    long elapsedNs,
    long bytes,
    long blocks,
    Survival survival,
    List<StepTimes> steps,
    Measured measured,
    List<Output> outputs,
    List<Claim> claims,
    String error,
    int exitStatus) {
  public JobResult {
    steps = List.copyOf(steps);
    outputs = List.copyOf(outputs);
    claims = List.copyOf(claims);
  }

  /** A file that the job wrote. */
  public record Output(String step, String path, long bytes) {}

  /**
   * A statement about the run.
   *
   * @param goal comparison and number, such as {@code == 3}
   */
  public record Claim(String name, double value, String goal, boolean holds) {}
}
