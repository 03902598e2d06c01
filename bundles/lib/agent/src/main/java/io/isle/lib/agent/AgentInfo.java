package io.isle.lib.agent;

import java.util.List;

/**
 * An agent that runs, and what it did since its start. The times are of the clock, to within the
 * cycle that goes on; where agents share a thread, what others of it worked is in none of them.
 *
 * @param thread name of the thread that runs it
 * @param processors that the thread is bound to, in order; empty for any
 * @param idle what the thread does without work
 * @param state {@code works}, {@code idle}, {@code sleeps}, or {@code waits} while another agent of
 *     its thread works
 * @param worked cycles that did something
 * @param idled cycles that did nothing
 * @param sleeps of its thread
 * @param workNs in cycles that did something
 * @param idleNs awake without work
 * @param sleepNs asleep
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
