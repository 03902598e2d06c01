package io.isle.lib.shm;

import io.isle.lib.ffi.Futex;
import io.isle.lib.ffi.FutexVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The bells of one sleeping agent: a word in private memory of this process that threads of the
 * core {@link #ring}, and the bell of each process that works for the agent. A separate page,
 * read-only for other processes, contains the sleep state of the agent. A process can therefore
 * corrupt only its own bell.
 *
 * <p>The agent calls {@link #look} for all bells, searches for work once more, and then calls
 * {@link #await}: a ring in between is not lost. A ringing thread increments the word first and
 * then reads the sleep state; the agent sets the sleep state first, and then the kernel compares
 * the words. At least one side therefore sees the other. Neither {@link #look} nor {@link #await}
 * allocates.
 */
public final class AgentBells {
  /** Largest number of processes: the device's own process and the processes of sixteen groups. */
  public static final int MOST_PROCESSES = 17;

  /** Longest sleep at a time if the kernel cannot wait for several words. */
  static final long SLICE_NS = 500_000;

  private static final ProcessBell[] NONE = {};

  private final MemorySegment agentPage;
  private final MemorySegment own;
  private final Futex futex;

  /** Null where the kernel has no futex_waitv. */
  private final FutexVector vector;

  private volatile ProcessBell[] bells = NONE;

  /** Odd while the agent uses the pages of {@link #bells}. Only the agent writes it. */
  private volatile long uses;

  // The agent's.
  private final int[] tickets = new int[1 + MOST_PROCESSES];
  private ProcessBell[] seen = NONE;

  /**
   * @param agentPage at least 4 bytes, 4-byte aligned; processes may map this page for reading
   * @param arena arena of the owner for internal memory; must outlive the agent
   */
  public AgentBells(MemorySegment agentPage, Arena arena) {
    this(agentPage, arena, FutexVector.isSupported());
  }

  AgentBells(MemorySegment agentPage, Arena arena, boolean several) {
    this.agentPage = agentPage;
    this.own = arena.allocate(64, 64);
    this.futex = new Futex(arena);
    this.vector = several ? new FutexVector(1 + MOST_PROCESSES, arena) : null;
  }

  /** Wakes the agent, or prevents its next sleep. Any thread of this process. */
  public void ring() {
    int ignored = (int) Words.INT.getAndAdd(own, 0L, 1);
    if (isAsleep()) {
      Futex.wakePrivate(own, 1);
    }
  }

  /** Number of rings by threads of the core so far. Any thread. */
  public int rings() {
    return (int) Words.INT.getVolatile(own, 0L);
  }

  /** Whether the agent sleeps or is about to sleep. Any thread. */
  public boolean isAsleep() {
    return (int) Words.INT.getVolatile(agentPage, ChannelLayout.AgentPage.SLEEPING) != 0;
  }

  /**
   * Adds the bell of a process, from the agent's next sleep on; before that sleep, the agent has
   * given the process no work.
   *
   * @return false if the agent already has {@link #MOST_PROCESSES} bells
   */
  public synchronized boolean add(ProcessBell bell) {
    ProcessBell[] now = bells;
    if (now.length == MOST_PROCESSES) {
      return false;
    }
    ProcessBell[] next = Arrays.copyOf(now, now.length + 1);
    next[now.length] = bell;
    bells = next;
    return true;
  }

  /**
   * Removes the bell of a process. After the return, the agent no longer uses its page, which may
   * be unmapped. Waits at most until the agent has left its sleep. Idempotent.
   */
  public void remove(ProcessBell bell) {
    synchronized (this) {
      bells = Arrays.stream(bells).filter(b -> b != bell).toArray(ProcessBell[]::new);
    }
    long use = uses;
    while ((use & 1) == 1 && uses == use) {
      ring();
      LockSupport.parkNanos(50_000);
    }
  }

  /** Records the values of all bells for the next {@link #await}. The agent only. */
  public void look() {
    turn();
    try {
      seen = bells;
      tickets[0] = rings();
      for (int i = 0; i < seen.length; i++) {
        tickets[i + 1] = seen[i].rings();
      }
    } finally {
      turn();
    }
  }

  private void turn() {
    long use = uses;
    uses = use + 1;
  }

  /**
   * Sleeps until the next ring after {@link #look}, at most {@code timeoutNs}. Processes may end
   * the sleep early. The agent only.
   *
   * @param listening whether rings of processes end the sleep too
   */
  public void await(long timeoutNs, boolean listening) {
    lieDown();
    try {
      if (isCurrent()) {
        sleep(timeoutNs, processes(listening));
      }
    } finally {
      getUp();
    }
  }

  private void sleep(long timeoutNs, int processes) {
    int woken = -1;
    if (processes == 0) {
      awaitOwn(timeoutNs);
    } else if (vector == null) {
      if (!hasRung(processes)) {
        awaitOwn(Math.min(timeoutNs, SLICE_NS));
      }
    } else {
      int words = set(vector, 0, processes);
      woken = vector.await(words, timeoutNs);
    }
    count(woken, processes);
  }

  /** The agent says that it sleeps, and uses the pages until {@link #getUp}. */
  void lieDown() {
    Words.INT.setVolatile(agentPage, ChannelLayout.AgentPage.SLEEPING, 1);
    turn();
  }

  void getUp() {
    turn();
    Words.INT.setVolatile(agentPage, ChannelLayout.AgentPage.SLEEPING, 0);
  }

  /** Whether the processes are those of the last look. */
  boolean isCurrent() {
    return bells == seen;
  }

  /** How many processes the agent listens to. */
  int processes(boolean listening) {
    return listening ? seen.length : 0;
  }

  /**
   * Names the words for a wait, each with what it held at the last look: the core's, then those of
   * processes.
   *
   * @return the index behind the last of them
   */
  int set(FutexVector to, int at, int processes) {
    to.set(at, own, false, tickets[0]);
    for (int i = 1; i <= processes; i++) {
      to.set(at + i, seen[i - 1].word(), true, tickets[i]);
    }
    return at + 1 + processes;
  }

  /**
   * Counts wakes.
   *
   * @param woken which process woke the agent, from 1
   */
  void count(int woken, int processes) {
    for (int i = 1; i <= processes; i++) {
      if (i == woken || seen[i - 1].rings() != tickets[i]) {
        seen[i - 1].woke();
      }
    }
  }

  /** Whether a thread of the core, or one of these processes, rang since the last look. */
  boolean hasRung(int processes) {
    if (rings() != tickets[0]) {
      return true;
    }
    for (int i = 1; i <= processes; i++) {
      if (seen[i - 1].rings() != tickets[i]) {
        return true;
      }
    }
    return false;
  }

  /** Sleeps on the word of the core's threads alone. */
  void awaitOwn(long timeoutNs) {
    futex.awaitPrivate(own, tickets[0], timeoutNs);
  }
}
