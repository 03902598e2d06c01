package io.isle.lib.agent;

/**
 * Work done in duty cycles by one thread at a time of an {@link AgentHost}, which other agents may
 * share. The agent never blocks; the host decides when it spins, yields or sleeps, and on which
 * thread it runs. Whoever gives it work rings its bell.
 */
public interface Agent {
  /** Its name: settings are found by it, and its thread has it unless they say otherwise. */
  String name();

  /** The first call on the agent's thread, and on each to which it is moved between two cycles. */
  default void onStart() {}

  /** One duty cycle; returns how much was done, 0 when there was nothing to do. */
  int doWork();

  /**
   * When the last {@link #doWork} began, by the host's clock, as the agent looked at it for itself:
   * time is counted by that, so that the host looks at no clock while its agents are awake.
   */
  long cycleNs();

  /** Longest sleep before {@link #doWork} is due without a ring, in nanoseconds. */
  default long maxSleepNs() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether processes that work for this may wake it, which is while they have something to do.
   * Asked on the agent's thread before it sleeps.
   */
  default boolean isListening() {
    return true;
  }

  /**
   * Whether others stand still while this waits for a processor: then it is soon given one after it
   * was woken, at the cost of whoever runs there. Asked on the agent's thread before it sleeps.
   */
  default boolean isPrompt() {
    return false;
  }

  /** The last call on the agent's thread: it was asked to stop. */
  default void onStop() {}

  /**
   * The last call on the agent's thread: another call threw {@code cause}, an exception or an
   * error. What this throws is logged with it.
   */
  void onFailure(Throwable cause);
}
