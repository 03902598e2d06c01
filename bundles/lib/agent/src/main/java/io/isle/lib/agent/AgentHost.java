package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Runs agents on threads. Only a limited number of these threads may occupy a processor without
 * work; all others sleep on their bells. Thread-safe.
 */
@ProviderType
public interface AgentHost {
  /**
   * Starts an agent.
   *
   * @param bells rung by threads that give the agent work
   * @throws IllegalStateException after the close of the host
   */
  Placement start(Agent agent, AgentBells bells);

  /** The running agents with their counters, by name. */
  List<AgentInfo> agents();

  /** A started agent. */
  @ProviderType
  interface Placement extends AutoCloseable {
    /**
     * Stops the agent and waits for its last cycle and, for the only agent of a thread, for the end
     * of the thread. A call on the agent's own thread only requests the stop.
     */
    @Override
    void close();

    /**
     * Requests the stop of an agent without waiting: for an agent that is stuck in other code. No
     * further agent starts on its thread.
     *
     * @param ended called after the last cycle of the agent, possibly never
     */
    void abandon(Runnable ended);
  }
}
