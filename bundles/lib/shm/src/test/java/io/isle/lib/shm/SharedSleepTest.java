package io.isle.lib.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.lib.ffi.Futex;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several agents sleep as one, with a kernel that waits for several words, and without. */
@Tag("alone")
@Timeout(120)
class SharedSleepTest {
  /** Longer than any sleep here may last. */
  private static final long LONG_NS = 30_000_000_000L;

  /** With all processes that there may be, more words than the kernel takes at a time. */
  private static final int MANY = 8;

  private final Arena arena = Arena.ofShared();
  private final List<ProcessBell> made = new ArrayList<>();

  @AfterEach
  void close() {
    made.forEach(ProcessBell::close);
    arena.close();
  }

  private AgentBells[] agents(int count) {
    AgentBells[] agents = new AgentBells[count];
    Arrays.setAll(agents, i -> new AgentBells(arena.allocate(64, 64), arena));
    return agents;
  }

  private static boolean[] listening(int count) {
    boolean[] all = new boolean[count];
    Arrays.fill(all, true);
    return all;
  }

  private ProcessBell process(AgentBells bells) {
    ProcessBell bell = new ProcessBell();
    made.add(bell);
    assertTrue(bells.add(bell));
    return bell;
  }

  /** What the other side of a page does. */
  private static void ring(AgentBells bells, ProcessBell bell) {
    int ignored = (int) Words.INT.getAndAdd(bell.page(), ChannelLayout.Bell.BELL, 1);
    if (bells.isAsleep()) {
      Futex.wake(bell.word(), Integer.MAX_VALUE);
    }
  }

  private static void look(AgentBells[] agents) {
    for (AgentBells agent : agents) {
      agent.look();
    }
  }

  /** Sleeps until it is woken; fails when nobody does. */
  private static void sleep(SharedSleep sleep, AgentBells[] agents) {
    long before = System.nanoTime();
    sleep.await(agents, listening(agents.length), LONG_NS);
    assertTrue(System.nanoTime() - before < LONG_NS, "nobody woke the thread");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRingBeforeTheSleepIsNotLostAtAnyAgent(boolean several) {
    SharedSleep sleep = new SharedSleep(arena, several);
    AgentBells[] agents = agents(3);
    List<ProcessBell> processes = Arrays.stream(agents).map(this::process).toList();
    for (int i = 0; i < agents.length; i++) {
      look(agents);
      agents[i].ring();
      sleep(sleep, agents);
      look(agents);
      ring(agents[i], processes.get(i));
      sleep(sleep, agents);
      assertEquals(1, processes.get(i).wakes());
      for (AgentBells agent : agents) {
        assertFalse(agent.isAsleep());
      }
    }
  }

  /**
   * Every one of them, of the core and of processes, arrives at the agent that it is for; nobody
   * waits for the end of a sleep.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyHandOverArrives(boolean several) throws InterruptedException {
    SharedSleep sleep = new SharedSleep(arena, several);
    AgentBells[] agents = agents(3);
    AtomicLong[] given = new AtomicLong[agents.length];
    AtomicLong[] taken = new AtomicLong[agents.length];
    AtomicInteger running = new AtomicInteger();
    AtomicInteger outOfTime = new AtomicInteger();
    List<Thread> ringers = new ArrayList<>();
    int goal = several ? 10_000 : 500;
    for (int i = 0; i < agents.length; i++) {
      given[i] = new AtomicLong();
      taken[i] = new AtomicLong();
      AgentBells agent = agents[i];
      ProcessBell process = process(agent);
      int at = i;
      for (Runnable rings : List.<Runnable>of(agent::ring, () -> ring(agent, process))) {
        int ignored = running.incrementAndGet();
        ringers.add(
            Thread.ofPlatform()
                .unstarted(
                    () -> {
                      give(given[at], taken[at], goal, rings);
                      int left = running.decrementAndGet();
                      rings.run();
                      assertTrue(left >= 0);
                    }));
      }
    }
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (running.get() > 0) {
                    look(agents);
                    if (!take(given, taken) && running.get() > 0) {
                      long before = System.nanoTime();
                      sleep.await(agents, listening(agents.length), LONG_NS);
                      int late = System.nanoTime() - before >= LONG_NS ? 1 : 0;
                      int ignored = outOfTime.addAndGet(late);
                    }
                  }
                });
    ringers.forEach(Thread::start);
    for (Thread ringer : ringers) {
      ringer.join();
    }
    thread.join();
    assertEquals(0, outOfTime.get(), "sleeps that nobody ended");
    for (int i = 0; i < agents.length; i++) {
      assertEquals(2L * goal, taken[i].get());
    }
  }

  private static boolean take(AtomicLong[] given, AtomicLong[] taken) {
    boolean any = false;
    for (int i = 0; i < given.length; i++) {
      long now = given[i].get();
      any |= taken[i].getAndSet(now) != now;
    }
    return any;
  }

  /** Waits until what it gave was taken, so that the thread sleeps often. */
  private static void give(AtomicLong given, AtomicLong taken, int goal, Runnable rings) {
    for (int i = 0; i < goal; i++) {
      long mine = given.incrementAndGet();
      rings.run();
      while (taken.get() < mine) {
        Thread.onSpinWait();
        Thread.yield();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void moreWordsThanTheKernelTakesAreLookedAtInSlices(boolean several) {
    SharedSleep sleep = new SharedSleep(arena, several);
    AgentBells[] agents = agents(MANY);
    for (AgentBells agent : agents) {
      for (int i = 0; i < AgentBells.MOST_PROCESSES; i++) {
        process(agent);
      }
    }
    ProcessBell last = made.getLast();
    look(agents);
    ring(agents[MANY - 1], last);
    sleep(sleep, agents);
    assertEquals(1, last.wakes());
    look(agents);
    long before = System.nanoTime();
    sleep.await(agents, listening(MANY), LONG_NS);
    assertTrue(System.nanoTime() - before < LONG_NS, "it looks again without a ring");
    agents[MANY - 1].remove(last);
    look(agents);
    ring(agents[MANY - 1], last);
    sleep.await(agents, listening(MANY), 1_000_000);
    assertEquals(1, last.wakes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoIsNotListenedToWakesNobody(boolean several) {
    SharedSleep sleep = new SharedSleep(arena, several);
    AgentBells[] agents = agents(2);
    ProcessBell heard = process(agents[0]);
    ProcessBell ignored = process(agents[1]);
    look(agents);
    ring(agents[1], ignored);
    sleep.await(agents, new boolean[] {true, false}, 1_000_000);
    assertEquals(0, heard.wakes() + ignored.wakes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sleepingAllocatesNothing(boolean several) {
    SharedSleep sleep = new SharedSleep(arena, several);
    AgentBells[] agents = agents(3);
    boolean[] listening = listening(3);
    ProcessBell process = process(agents[2]);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 5_000; i++) {
        look(agents);
        if ((i & 1) == 0) {
          agents[1].ring();
        } else {
          ring(agents[2], process);
        }
        sleep.await(agents, listening, 1_000);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(least < 5_000, least + " bytes in 5,000 sleeps");
  }
}
