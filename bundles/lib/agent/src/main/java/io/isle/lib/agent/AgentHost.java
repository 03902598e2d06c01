package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Runs agents on threads, and keeps the machine usable: only so many of them keep a processor while
 * they have nothing to do, all others sleep on their bells. Thread-safe.
 */
@ProviderType
public interface AgentHost {
  /**
   * Starts an agent.
   *
   * @param bells rung by whoever gives the agent work
   * @throws IllegalStateException when the host is closed
   */
  Placement start(Agent agent, AgentBells bells);

  /** What runs now and what it did so far, by name. */
  List<AgentInfo> agents();

  /** An agent that was started. */
  @ProviderType
  interface Placement extends AutoCloseable {
    /**
     * Stops the agent and waits until it does nothing more and, where it was alone on its thread,
     * that has ended. On that thread itself it only asks.
     */
    @Override
    void close();

    /**
     * Asks the agent to stop and does not wait: for one that is stuck in somebody else's code.
     * Agents that start later do not come onto its thread.
     *
     * @param ended runs once the agent does nothing more, perhaps never
     */
    void abandon(Runnable ended);
  }
}
