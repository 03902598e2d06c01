package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Runs agents, each on a daemon thread of its own, and keeps the machine usable: at most {@code
 * spinners} of them spin at a time, all others sleep on their bells. Thread-safe.
 */
public final class AgentHost implements AutoCloseable {
  private final SpinPermits permits = new SpinPermits();
  private int spinners;
  private final Set<AgentThread> threads = ConcurrentHashMap.newKeySet();

  /**
   * @param spinners how many agents may spin at a time, 0 or more
   */
  public AgentHost(int spinners) {
    spinners(spinners);
  }

  /**
   * Changes how many agents may spin at a time. Those beyond it that spin now go on until they
   * sleep.
   *
   * @param most 0 or more
   */
  public synchronized void spinners(int most) {
    if (most < 0) {
      throw new IllegalArgumentException("spinners " + most + " is negative");
    }
    permits.change(most - spinners);
    spinners = most;
  }

  /** How many more agents may spin now; negative while more do than may. */
  int spare() {
    return permits.availablePermits();
  }

  /** May be short of permits, when there were more before. */
  private static final class SpinPermits extends Semaphore {
    private static final long serialVersionUID = 1;

    SpinPermits() {
      super(0);
    }

    void change(int by) {
      if (by < 0) {
        reducePermits(-by);
      } else {
        release(by);
      }
    }
  }

  /** Spinners that leave half of the processors to others; at least 1. */
  public static int spinnersFor(int processors) {
    return Math.max(1, processors / 2);
  }

  /**
   * Starts an agent.
   *
   * @param bells rung by whoever gives the agent work
   * @return stops the agent and waits until its thread has ended; from that thread itself it only
   *     asks
   */
  public Placement start(Agent agent, AgentBells bells) {
    AgentThread thread = new AgentThread(agent, bells, new IdleStrategy(bells, permits));
    thread.start();
    threads.add(thread);
    return new Placement() {
      @Override
      public void close() {
        thread.stop();
        threads.remove(thread);
      }

      @Override
      public void abandon(Runnable ended) {
        thread.ask();
        thread.onEnd(ended);
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

    /**
     * Asks the agent to stop and does not wait: for one that is stuck in somebody else's code.
     *
     * @param ended runs once the agent does nothing more, perhaps never
     */
    void abandon(Runnable ended);
  }
}
