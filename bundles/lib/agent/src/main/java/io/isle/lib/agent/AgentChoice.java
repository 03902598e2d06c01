package io.isle.lib.agent;

import java.util.Optional;
import java.util.Set;

/**
 * What the administrator chose for an agent.
 *
 * @param thread name of the thread, which all agents share that have the same; empty: a thread of
 *     the agent's own name
 * @param processors on which it may run; empty for any
 * @param maxSleepNs longest sleep without a ring, 1 to {@link #MAX_SLEEP_NS}
 */
public record AgentChoice(
    Optional<String> thread, Set<Integer> processors, IdleMode idle, long maxSleepNs) {
  /** A process may not ring although it should, so that no sleep is trusted for longer. */
  public static final long MAX_SLEEP_NS = 20_000_000;

  public static final AgentChoice DEFAULT =
      new AgentChoice(Optional.empty(), Set.of(), IdleMode.ADAPTIVE, MAX_SLEEP_NS);

  public AgentChoice {
    processors = Set.copyOf(processors);
    if (maxSleepNs < 1 || maxSleepNs > MAX_SLEEP_NS) {
      throw new IllegalArgumentException(
          "a longest sleep of " + maxSleepNs + " ns is not within 1 to " + MAX_SLEEP_NS);
    }
  }
}
