package io.isle.api.jobs;

import io.isle.api.tenancy.Permission;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A kind of step from a bundle, as a service. A step uses the kind by its {@link #key}, instead of
 * {@code program}:
 *
 * <pre>
 * steps:
 *   - name: check
 *     blockhash: {file: numbers.bin, hashes: hashes.txt}
 * </pre>
 *
 * <p>Jobs read and check the parameters, resolve paths, run the action in the order of the job's
 * steps, write its outputs as the outputs of all steps, and use its measures in claims. One object
 * serves all jobs, several at a time: keep the state of a run in local variables of {@link #run}.
 * When the service is unregistered, running steps of this kind are interrupted and fail; the
 * unregistration waits at most ten seconds for these steps.
 */
@ConsumerType
public interface JobAction {
  /** Pattern of the names of parameters, measures and faults. */
  String NAME = "[a-z][a-z0-9_]{0,31}";

  /** Pattern of {@link #key}. */
  String KEY = "[a-z][a-z0-9_-]{0,31}";

  /**
   * The key of a step with the parameters of this kind. Jobs ignore a service with a key of jobs
   * themselves, such as {@code program}, or with the key of another service.
   *
   * @return matches {@link #KEY}; constant
   */
  String key();

  /** The parameters of this kind, with distinct names; constant. */
  List<ActionParameter> parameters();

  /**
   * Checks parameters together, after the checks of each parameter. Called before the job begins,
   * also for jobs that are refused for other reasons.
   *
   * @return the mistake; empty for valid parameters
   */
  default Optional<ActionMistake> check(ActionValues values) {
    return Optional.empty();
  }

  /** Names of the measures of a run, used in claims as {@code step.NAME.MEASURE}; constant. */
  default Set<String> measures() {
    return Set.of();
  }

  /** Permissions of {@link ActionStep#capability} beside those of devices; constant. */
  default Set<Permission> permissions() {
    return Set.of();
  }

  /** Names of the faults that can be injected into a running step; constant. */
  default Set<String> faults() {
    return Set.of();
  }

  /**
   * Runs a step to its end, on the thread of its stream. An interrupt requests the end of the run.
   *
   * @throws JobException if the step fails, with a remedy in the message
   * @throws IOException if a file cannot be read or written; the step fails with EIO
   * @throws InterruptedException if an interrupt ended the run
   */
  void run(ActionStep step) throws IOException, InterruptedException;

  /**
   * Injects a fault into a running step, for {@code faults} of the job file. Called on another
   * thread than {@link #run}; returns soon.
   *
   * @param step as given to {@link #run}
   * @param fault one of {@link #faults}
   * @param count number of times, 1 or more
   * @param value parameter of the fault, 0 or more
   * @throws JobException if the fault is impossible; the job fails at its end
   */
  default void fault(ActionStep step, String fault, long count, long value) {
    throw new IllegalStateException(key() + " has no fault " + fault);
  }
}
