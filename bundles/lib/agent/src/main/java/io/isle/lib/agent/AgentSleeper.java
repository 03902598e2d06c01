package io.isle.lib.agent;

/**
 * How the thread of an agent sleeps that waits for events of the kernel, such as frames of a
 * socket: in place of its bells. A thread with several agents sleeps on their bells, for a
 * millisecond at most while one of them has a sleeper.
 */
public interface AgentSleeper {
  /** Longest sleep of a thread that cannot hear the events of a sleeper. */
  long MOST_DEAF_NS = 1_000_000;

  /**
   * The agent may sleep soon: a {@link #wake} from now on is not lost. The agent's thread only,
   * which runs one more cycle before the sleep.
   */
  void look();

  /**
   * Sleeps until an event, a {@link #wake} since the last {@link #look}, or the end of the time.
   * The agent's thread only; allocates nothing.
   *
   * @param timeoutNs 0 or less does not wait
   */
  void sleep(long timeoutNs);

  /** Ends the sleep, or prevents the next one. Any thread. */
  void wake();
}
