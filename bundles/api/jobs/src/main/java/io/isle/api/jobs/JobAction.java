package io.isle.api.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A kind of step that a bundle brings to job files. A service of this type is found by jobs; a step
 * asks for it by its {@link #key}, instead of by {@code program}:
 *
 * <pre>
 * steps:
 *   - name: check
 *     blockhash: {file: numbers.bin, hashes: hashes.txt}
 * </pre>
 *
 * <p>Jobs read and check the parameters, resolve paths, run the action in the order of the job's
 * steps, write its outputs as those of all steps, and take its measures into claims. One object
 * serves all jobs, several at a time: whatever belongs to one run is a local variable of {@link
 * #run}. When the service is unregistered, running steps of this kind are interrupted and fail; the
 * unregistration waits for them, at most ten seconds.
 */
@ConsumerType
public interface JobAction {
  /** What a {@link #key} and the names of parameters, measures and faults look like. */
  String NAME = "[a-z][a-z0-9_]{0,31}";

  /**
   * The key of a step under which the parameters stand. One that jobs use themselves, such as
   * {@code program}, or that another service has already is not found.
   *
   * @return matches {@link #NAME}; always the same
   */
  String key();

  /** The parameters that the kind takes, each with a name of its own; always the same. */
  List<ActionParameter> parameters();

  /**
   * Looks at parameters together, after each alone was found good. Called before the job begins,
   * also for jobs that are refused for other reasons.
   *
   * @return the mistake; empty when there is none
   */
  default Optional<ActionMistake> check(ActionValues values) {
    return Optional.empty();
  }

  /** Measures of a run, which claims use as {@code step.NAME.MEASURE}; always the same. */
  default Set<String> measures() {
    return Set.of();
  }

  /** Faults that can be brought about in a running step; always the same. */
  default Set<String> faults() {
    return Set.of();
  }

  /**
   * Runs a step to its end, on the thread of its stream. An interrupt asks for the end of the run.
   *
   * @throws JobException when the step fails; the message says what the user can do
   * @throws IOException when a file cannot be read or written; fails the step with EIO
   * @throws InterruptedException when an interrupt ended the run
   */
  void run(ActionStep step) throws IOException, InterruptedException;

  /**
   * Brings a fault about in a step that runs, as {@code faults} of the job file asks. Called on
   * another thread than {@link #run}; returns soon.
   *
   * @param step as given to {@link #run}
   * @param fault one of {@link #faults}
   * @param count how often, 1 or more
   * @param value parameter of the fault, 0 or more
   * @throws JobException when the fault cannot happen; fails the job at its end
   */
  default void fault(ActionStep step, String fault, long count, long value) {
    throw new IllegalStateException(key() + " has no fault " + fault);
  }
}
