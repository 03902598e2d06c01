package io.isle.lib.agent;

import io.isle.lib.shm.Doorbell;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Runs agents, each on a daemon thread of its own, and keeps the machine usable: at most {@code
 * spinners} of them spin at a time, all others sleep on their doorbells. Thread-safe.
 */
public final class AgentHost implements AutoCloseable {
  private final Semaphore spinners;
  private final Set<AgentThread> threads = ConcurrentHashMap.newKeySet();

  /**
   * @param spinners how many agents may spin at a time, 0 or more
   */
  public AgentHost(int spinners) {
    if (spinners < 0) {
      throw new IllegalArgumentException("spinners " + spinners + " is negative");
    }
    this.spinners = new Semaphore(spinners);
  }

  /** Spinners that leave half of the processors to others; at least 1. */
  public static int spinnersFor(int processors) {
    return Math.max(1, processors / 2);
  }

  /**
   * Starts an agent.
   *
   * @param bell rung by whoever gives the agent work
   * @return stops the agent and waits until its thread has ended; from that thread itself it only
   *     asks
   */
  public Placement start(Agent agent, Doorbell bell) {
    AgentThread thread = new AgentThread(agent, bell, new IdleStrategy(bell, spinners));
    threads.add(thread);
    thread.start();
    return new Placement() {
      @Override
      public void close() {
        thread.stop();
        threads.remove(thread);
      }

      @Override
      public void abandon() {
        thread.ask();
        threads.remove(thread);
      }
    };
  }

  /** Stops all agents and waits for their threads. */
  @Override
  public void close() {
    threads.forEach(AgentThread::stop);
    threads.clear();
  }

  /** An agent on its thread. */
  public interface Placement extends AutoCloseable {
    /** Stops the agent and waits until its thread has ended. */
    @Override
    void close();

    /** Asks the agent to stop and does not wait: for one that is stuck in somebody else's code. */
    void abandon();
  }
}
