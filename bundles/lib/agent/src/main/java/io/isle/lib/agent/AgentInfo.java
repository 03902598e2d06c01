package io.isle.lib.agent;

import java.util.List;

/**
 * A running agent with its counters since its start. Times are exact up to the current cycle. For
 * agents that share a thread, the working time of the other agents counts in none of the times.
 * Immutable.
 *
 * @param name name of the agent
 * @param thread name of its thread
 * @param processors processors of the thread, in order; empty for any
 * @param idle behaviour of the thread without work
 * @param state {@code works}, {@code idle}, {@code sleeps}, or {@code waits} while another agent of
 *     the thread works
 * @param worked cycles with work
 * @param idled cycles without work
 * @param sleeps sleeps of the thread
 * @param workNs time in cycles with work
 * @param idleNs time awake without work
 * @param sleepNs time asleep
 */
public record AgentInfo(
    String name,
    String thread,
    List<Integer> processors,
    IdleMode idle,
    String state,
    long worked,
    long idled,
    long sleeps,
    long workNs,
    long idleNs,
    long sleepNs) {
  public AgentInfo {
    processors = List.copyOf(processors);
  }
}
