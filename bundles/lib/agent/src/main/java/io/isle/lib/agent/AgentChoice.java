package io.isle.lib.agent;

import java.util.Optional;
import java.util.Set;

/**
 * The administrator's settings of an agent. Immutable.
 *
 * @param thread name of the thread, shared by all agents with the same name; empty for a thread of
 *     the agent alone
 * @param processors processors of the thread; empty for any
 * @param idle behaviour without work
 * @param maxSleepNs longest sleep without a ring, 1 to {@link #MAX_SLEEP_NS}
 */
public record AgentChoice(
    Optional<String> thread, Set<Integer> processors, IdleMode idle, long maxSleepNs) {
  /** Upper bound of every sleep, because a process may fail to ring. */
  public static final long MAX_SLEEP_NS = 20_000_000;

  public static final AgentChoice DEFAULT =
      new AgentChoice(Optional.empty(), Set.of(), IdleMode.ADAPTIVE, MAX_SLEEP_NS);

  /** The same on other processors. */
  AgentChoice on(Set<Integer> others) {
    return new AgentChoice(thread, others, idle, maxSleepNs);
  }

  public AgentChoice {
    processors = Set.copyOf(processors);
    if (maxSleepNs < 1 || maxSleepNs > MAX_SLEEP_NS) {
      throw new IllegalArgumentException(
          "a longest sleep of " + maxSleepNs + " ns is not within 1 to " + MAX_SLEEP_NS);
    }
  }
}
