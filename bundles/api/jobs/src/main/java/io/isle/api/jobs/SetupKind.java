package io.isle.api.jobs;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A kind of resources that exist only for a job, from a bundle, as a service. A job file describes
 * resources under the kind's {@link #key} in {@code setup}, and brings events about by the kind's
 * {@link #singular} in {@code faults}:
 *
 * <pre>
 * setup:
 *   rings:
 *     demo: {nodes: 3, transport: tcp}
 * faults:
 *   - {ring: demo, fault: cut, node: 1, after_ms: 100}
 *   - {ring: demo, change: switch, transport: udp}
 * </pre>
 *
 * <p>A resource consists of settings files. Jobs note their PIDs before {@link #make}, so that the
 * files are deleted at the next start after a kill of the platform, even without this service. One
 * object serves all jobs, several at a time. When the service is unregistered, its running calls
 * are interrupted, and their jobs fail; the unregistration waits at most ten seconds for them.
 */
@ConsumerType
public interface SetupKind {
  /**
   * The key of the kind in {@code setup}. Jobs ignore a service with a key of jobs themselves, such
   * as {@code devices}, or with the key of another service.
   *
   * @return matches {@link JobAction#NAME}; constant
   */
  String key();

  /**
   * The key of an entry of {@code faults} that names a resource of this kind.
   *
   * @return matches {@link JobAction#NAME}, no other key of such an entry; constant
   */
  String singular();

  /**
   * The parameters of a resource, with distinct names; constant. Files are absolute paths that
   * nobody has looked at.
   */
  List<ActionParameter> parameters();

  /** Kinds of events, with distinct names; constant. */
  List<SetupEvent> events();

  /**
   * Checks name and parameters together, after the checks of each parameter. Called before the job
   * begins, also for jobs that are refused for other reasons.
   *
   * @return the mistake; empty for a valid resource
   */
  Optional<ActionMistake> check(SetupResource resource);

  /**
   * Checks an event, as {@link #check(SetupResource)} does.
   *
   * @param event name of one of {@link #events}
   * @param values of the event's parameters
   */
  Optional<ActionMistake> check(SetupResource resource, String event, ActionValues values);

  /** PIDs of all settings files that the resource may have during the job, also by its events. */
  Set<String> pids(SetupResource resource);

  /**
   * Makes a resource, all of it or nothing, and waits until it is ready.
   *
   * @throws io.isle.api.base.IsleException if the resource cannot be made, with a remedy in the
   *     message
   * @throws InterruptedException if an interrupt ended the wait; {@link #remove} follows
   */
  void make(SetupResource resource) throws InterruptedException;

  /**
   * Removes a resource, also one that is made in parts or not at all. Called again after an
   * interrupt.
   */
  void remove(SetupResource resource) throws InterruptedException;

  /**
   * Brings an event about, and returns when it has happened. An interrupt ends a wait.
   *
   * @param event name of one of {@link #events}
   * @param values of the event's parameters
   * @throws io.isle.api.base.IsleException if the event is impossible; the job fails at its end
   */
  void happen(SetupResource resource, String event, ActionValues values)
      throws InterruptedException;
}
