package io.isle.api.jobs;

import java.util.List;

/**
 * The result of a job. Immutable.
 *
 * @param job name of the job
 * @param state state of the job
 * @param device id of its device; null without a device
 * @param tier tier of this device; 0 without a device
 * @param elapsedNs wall time of the run in nanoseconds
 * @param bytes processed input
 * @param blocks results read from the device, in the unit of the program
 * @param survival crashes and recoveries during the job
 * @param steps steps that have begun, by start
 * @param measured shares of groups and latencies, after the end of the job
 * @param outputs written files
 * @param claims checked claims
 * @param error reason of a failure; null without a failure
 * @param exitStatus code of {@link io.isle.api.base.ExitStatus}; 0 for success
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

  /**
   * A file that the job wrote.
   *
   * @param step name of the step
   * @param path path of the file
   * @param bytes size of the file
   */
  public record Output(String step, String path, long bytes) {}

  /**
   * A checked claim of the job.
   *
   * @param name name of the claim
   * @param value measured value
   * @param goal comparison and number, such as {@code == 3}
   * @param holds whether the comparison is true
   */
  public record Claim(String name, double value, String goal, boolean holds) {}
}
