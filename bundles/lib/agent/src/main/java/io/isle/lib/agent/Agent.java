package io.isle.lib.agent;

import java.util.Optional;
import java.util.Set;

/**
 * Work in duty cycles, run by one thread at a time of an {@link AgentHost}; several agents may
 * share a thread. An agent never blocks. The host decides when the thread spins, yields or sleeps,
 * and which thread runs the agent. A thread that gives work to an agent rings the agent's bell.
 */
public interface Agent {
  /**
   * Name of the agent, which selects its settings; also the name of its thread, unless the settings
   * name another thread.
   */
  String name();

  /**
   * The first call on the agent's thread, and on each thread that the agent moves to between two
   * cycles.
   */
  default void onStart() {}

  /**
   * Runs one duty cycle.
   *
   * @return the amount of work done; 0 if the agent had no work
   */
  int doWork();

  /**
   * Begin of the last {@link #doWork} by the host's clock, as read by the agent. The host counts
   * time by this value and reads no clock while its agents are awake.
   */
  long cycleNs();

  /** Longest sleep without a ring before the next {@link #doWork}, in nanoseconds. */
  default long maxSleepNs() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether processes that work for this agent may wake it, which is true while these processes
   * have work. Called on the agent's thread before a sleep.
   */
  default boolean isListening() {
    return true;
  }

  /**
   * Whether other threads wait while this agent waits for a processor. The thread of such an agent
   * gets a processor soon after a wake, at the expense of other threads on this processor. Called
   * on the agent's thread before a sleep.
   */
  default boolean isPrompt() {
    return false;
  }

  /**
   * How the thread sleeps if the agent waits for events of the kernel; empty for the bells alone.
   * Asked once, at the start. A ring does not end such a sleep: wake the sleeper.
   */
  default Optional<AgentSleeper> sleeper() {
    return Optional.empty();
  }

  /**
   * Processors that the owner of the agent wants, if the administrator's settings of agents name
   * none for this one; empty for any. Asked at the start and when those settings change.
   */
  default Set<Integer> processors() {
    return Set.of();
  }

  /** The last call on the agent's thread after a requested stop. */
  default void onStop() {}

  /**
   * The last call on the agent's thread after an exception or error of another call. An exception
   * of this method is logged together with {@code cause}.
   */
  void onFailure(Throwable cause);
}
