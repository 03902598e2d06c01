package io.isle.lib.agent;

/**
 * Behaviour of a thread between cycles without work: spin, then yield, then sleep, by its {@link
 * IdleMode}. An adaptive thread adjusts the length of spinning: longer after spinning that found
 * work, shorter after spinning in vain. One thread.
 */
final class IdleStrategy {
  static final int MIN_SPINS = 32;
  static final int MAX_SPINS = 4096;
  private static final int YIELDS = 4;

  /** Each yield puts the thread a slice behind all others of its processor, so not at each turn. */
  private static final int YIELD_MASK = 31;

  private final SpinPermits permits;
  private IdleMode mode = IdleMode.ADAPTIVE;
  private long maxSleepNs = AgentChoice.MAX_SLEEP_NS;
  private int limit = 256;
  private int idleCycles;
  private boolean permitted;

  IdleStrategy(SpinPermits permits) {
    this.permits = permits;
  }

  /** From now on. */
  void choose(IdleMode chosen, long mostNs) {
    mode = chosen;
    maxSleepNs = mostNs;
    if (chosen == IdleMode.SLEEP) {
      close();
    }
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
    return switch (mode) {
      case SLEEP -> true;
      case ADAPTIVE -> adapts();
      case YIELD, SPIN -> {
        if (keepsPermit()) {
          stayAwake();
          yield false;
        }
        yield adapts();
      }
    };
  }

  /** One that never sleeps would not notice otherwise that fewer may be awake than before. */
  private boolean keepsPermit() {
    if (permitted && permits.spare() < 0) {
      close();
    }
    if (!permitted) {
      permitted = permits.take();
    }
    return permitted;
  }

  private void stayAwake() {
    idleCycles++;
    if (mode == IdleMode.YIELD || (idleCycles & YIELD_MASK) == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  private boolean adapts() {
    if (!permitted) {
      permitted = permits.take();
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
   * The thread goes to sleep, without its permit.
   *
   * @param wantedNs how long agents would have it sleep
   * @return how long it may
   */
  long sleep(long wantedNs) {
    limit = Math.max(MIN_SPINS, limit >> 1);
    close();
    idleCycles = 0;
    return Math.clamp(wantedNs, 0, maxSleepNs);
  }

  /** Gives the permit back. */
  void close() {
    if (permitted) {
      permitted = false;
      permits.giveBack();
    }
  }
}
