package io.isle.lib.shm;

import io.isle.lib.ffi.FutexVector;
import java.lang.foreign.Arena;

/**
 * The sleep of one thread that runs several agents, on the bells of all its agents. The thread
 * calls {@link AgentBells#look} for the bells of each agent, searches for work of each agent once
 * more, and then calls {@link #await}: a ring in between is not lost. All agents set their sleep
 * state before the kernel compares the first word. One thread. Does not allocate after
 * construction.
 */
public final class SharedSleep {
  /** Largest number of words for one wait of the kernel; further words are polled in slices. */
  public static final int MOST_WORDS = 128;

  /** Null where the kernel has no futex_waitv. */
  private final FutexVector vector;

  /**
   * @param arena arena of the thread, for the memory of waits
   */
  public SharedSleep(Arena arena) {
    this(arena, FutexVector.isSupported());
  }

  SharedSleep(Arena arena, boolean several) {
    vector = several ? new FutexVector(MOST_WORDS, arena) : null;
  }

  /**
   * Sleeps until the next ring at any of the agents after its last look, at most {@code timeoutNs}.
   * Processes may end the sleep early. If the kernel cannot wait for this number of words, a sleep
   * takes at most half a millisecond.
   *
   * @param agents at least one
   * @param listening for each agent, whether rings of its processes end the sleep too
   */
  public void await(AgentBells[] agents, boolean[] listening, long timeoutNs) {
    for (AgentBells agent : agents) {
      agent.lieDown();
    }
    try {
      if (areCurrent(agents)) {
        sleep(agents, listening, timeoutNs);
      }
    } finally {
      for (AgentBells agent : agents) {
        agent.getUp();
      }
    }
  }

  private static boolean areCurrent(AgentBells[] agents) {
    for (AgentBells agent : agents) {
      if (!agent.isCurrent()) {
        return false;
      }
    }
    return true;
  }

  private void sleep(AgentBells[] agents, boolean[] listening, long timeoutNs) {
    int words = words(agents, listening);
    int woken = -1;
    if (vector != null && words <= MOST_WORDS) {
      int at = 0;
      for (int i = 0; i < agents.length; i++) {
        at = agents[i].set(vector, at, agents[i].processes(listening[i]));
      }
      woken = vector.await(at, timeoutNs);
    } else if (!hasRung(agents, listening)) {
      agents[0].awaitOwn(Math.min(timeoutNs, AgentBells.SLICE_NS));
    }
    for (int i = 0; i < agents.length; i++) {
      int processes = agents[i].processes(listening[i]);
      agents[i].count(woken, processes);
      woken -= 1 + processes;
    }
  }

  private static int words(AgentBells[] agents, boolean[] listening) {
    int words = agents.length;
    for (int i = 0; i < agents.length; i++) {
      words += agents[i].processes(listening[i]);
    }
    return words;
  }

  private static boolean hasRung(AgentBells[] agents, boolean[] listening) {
    for (int i = 0; i < agents.length; i++) {
      if (agents[i].hasRung(agents[i].processes(listening[i]))) {
        return true;
      }
    }
    return false;
  }
}
