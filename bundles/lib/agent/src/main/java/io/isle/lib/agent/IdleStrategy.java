package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.util.concurrent.Semaphore;

/**
 * What an agent's thread does between cycles without work: spin, then yield, then sleep on its
 * bells. How long it spins adapts: spinning that ended with work is made longer, spinning in vain
 * shorter. Without a permit to spin it yields a few times and sleeps. One thread.
 */
final class IdleStrategy {
  /** A process may not ring although it should, so that no sleep is trusted for longer. */
  static final long MAX_SLEEP_NS = 20_000_000;

  static final int MIN_SPINS = 32;
  static final int MAX_SPINS = 4096;
  private static final int YIELDS = 4;

  /** Each yield puts the thread a slice behind all others of its processor, so not at each turn. */
  private static final int YIELD_MASK = 31;

  private final AgentBells bells;
  private final Semaphore permits;
  private int limit = 256;
  private int idleCycles;
  private boolean permitted;

  IdleStrategy(AgentBells bells, Semaphore permits) {
    this.bells = bells;
    this.permits = permits;
  }

  /** The last cycle did something. */
  void worked() {
    if (idleCycles > 0) {
      limit = Math.min(MAX_SPINS, limit + (limit >> 2));
      idleCycles = 0;
    }
  }

  /** The last cycle did nothing: spins or yields once, or says that it is time to sleep. */
  boolean sleepy() {
    if (!permitted) {
      permitted = permits.tryAcquire();
    }
    int spins = permitted ? limit : 0;
    int cycle = idleCycles++;
    if (cycle < spins) {
      // on few processors, what the agent waits for may need this one
      if ((cycle & YIELD_MASK) == YIELD_MASK) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
      return false;
    }
    if (cycle < spins + YIELDS) {
      Thread.yield();
      return false;
    }
    return true;
  }

  /**
   * Gives the permit back and sleeps until a bell rings after the last look at all.
   *
   * @param listening whether those of processes count
   */
  void sleep(long maxNs, boolean listening) {
    limit = Math.max(MIN_SPINS, limit >> 1);
    close();
    bells.await(Math.clamp(maxNs, 0, MAX_SLEEP_NS), listening);
    idleCycles = 0;
  }

  /** Gives the permit back. */
  void close() {
    if (permitted) {
      permitted = false;
      permits.release();
    }
  }
}
