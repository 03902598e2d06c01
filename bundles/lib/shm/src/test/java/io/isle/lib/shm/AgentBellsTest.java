package io.isle.lib.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.lib.ffi.Futex;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a kernel that waits for several words, and without. */
@Tag("alone")
@Timeout(120)
class AgentBellsTest {
  /** Longer than any sleep here may last. */
  private static final long LONG_NS = 30_000_000_000L;

  private final Arena arena = Arena.ofShared();
  private final List<ProcessBell> made = new ArrayList<>();

  @AfterEach
  void close() {
    made.forEach(ProcessBell::close);
    arena.close();
  }

  private AgentBells bells(boolean several) {
    return new AgentBells(arena.allocate(64, 64), arena, several);
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

  /** Sleeps until it is woken; fails when nobody does. */
  private static void sleep(AgentBells bells, boolean listening) {
    long before = System.nanoTime();
    bells.await(LONG_NS, listening);
    assertTrue(System.nanoTime() - before < LONG_NS, "nobody woke the agent");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRingBeforeTheSleepIsNotLost(boolean several) {
    AgentBells bells = bells(several);
    ProcessBell process = process(bells);
    bells.look();
    bells.ring();
    sleep(bells, true);
    assertEquals(0, process.wakes());
    bells.look();
    ring(bells, process);
    sleep(bells, true);
    assertEquals(1, process.wakes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyHandOverOfTheCoreAndOfProcessesArrives(boolean several) throws InterruptedException {
    AgentBells bells = bells(several);
    List<ProcessBell> processes = List.of(process(bells), process(bells));
    AtomicLong given = new AtomicLong();
    AtomicLong taken = new AtomicLong();
    AtomicLong outOfTime = new AtomicLong();
    int goal = several ? 20_000 : 2_000;
    List<Thread> ringers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Runnable rings = i == 2 ? bells::ring : over(bells, processes.get(i));
      ringers.add(Thread.ofPlatform().unstarted(() -> give(given, taken, goal, rings)));
    }
    Thread agent =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (taken.get() < 3L * goal) {
                    bells.look();
                    if (taken.get() == given.get()) {
                      long before = System.nanoTime();
                      bells.await(LONG_NS, true);
                      outOfTime.addAndGet(System.nanoTime() - before >= LONG_NS ? 1 : 0);
                    }
                    taken.set(given.get());
                  }
                });
    ringers.forEach(Thread::start);
    for (Thread ringer : ringers) {
      ringer.join();
    }
    agent.join();
    assertEquals(0, outOfTime.get(), "sleeps that nobody ended");
    for (ProcessBell process : processes) {
      assertTrue(process.wakes() <= 2L * process.rings(), process.wakes() + " wakes");
    }
  }

  private static Runnable over(AgentBells bells, ProcessBell process) {
    return () -> ring(bells, process);
  }

  /** Each waits until what it gave was taken, so that the agent sleeps often. */
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
  void whoIsNotListenedToWakesNobody(boolean several) throws InterruptedException {
    AgentBells bells = bells(several);
    ProcessBell process = process(bells);
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<Integer> rung = new AtomicReference<>(0);
    bells.look();
    int before = bells.rings();
    Thread noise =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; !over.get(); i++) {
                    int ignored = (int) Words.INT.getAndAdd(process.page(), 0L, 1);
                    Futex.wake(process.word(), 1);
                    if (i >= 1000 && bells.isAsleep()) {
                      rung.set(i);
                      bells.ring();
                    }
                  }
                });
    sleep(bells, false);
    over.set(true);
    noise.join();
    assertTrue(bells.rings() > before, "it woke without the core");
    assertTrue(rung.get() >= 1000);
    assertEquals(0, process.wakes());
  }

  /** A process can touch its own word, and wake who waits on it; both count as its own. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoWakesIsTold(boolean several) throws InterruptedException {
    AgentBells bells = bells(several);
    ProcessBell quiet = process(bells);
    ProcessBell loud = process(bells);
    AtomicBoolean over = new AtomicBoolean();
    Thread noise =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    if (!several) {
                      Words.INT.setVolatile(loud.page(), 0L, (int) System.nanoTime());
                    }
                    Futex.wake(loud.word(), 1);
                  }
                });
    for (int i = 0; i < 200; i++) {
      bells.look();
      bells.await(several ? LONG_NS : 1_000_000, true);
    }
    over.set(true);
    noise.join();
    assertTrue(loud.wakes() >= 100, loud.wakes() + " wakes");
    assertEquals(0, quiet.wakes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void processesComeAndGoWhileTheAgentRuns(boolean several) throws InterruptedException {
    AgentBells bells = bells(several);
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread agent =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!over.get()) {
                      bells.look();
                      bells.await(20_000_000, true);
                    }
                  } catch (RuntimeException | Error e) {
                    failed.set(e);
                  }
                });
    for (int i = 0; i < 3_000 && failed.get() == null; i++) {
      ProcessBell bell = new ProcessBell();
      assertTrue(bells.add(bell));
      ring(bells, bell);
      bells.remove(bell);
      bell.close();
    }
    over.set(true);
    bells.ring();
    agent.join();
    assertNull(failed.get(), () -> "the agent used a page that was unmapped: " + failed.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thereIsRoomForAllProcessesOfADevice(boolean several) {
    AgentBells bells = bells(several);
    for (int i = 0; i < AgentBells.MOST_PROCESSES; i++) {
      process(bells);
    }
    ProcessBell first = made.getFirst();
    ProcessBell last = made.getLast();
    ProcessBell other = new ProcessBell();
    made.add(other);
    assertFalse(bells.add(other));
    bells.look();
    ring(bells, last);
    sleep(bells, true);
    assertEquals(1, last.wakes());
    bells.remove(first);
    bells.remove(first);
    assertTrue(bells.add(other));
    bells.look();
    ring(bells, first);
    bells.await(1_000_000, true);
    assertEquals(0, first.wakes());
    assertFalse(bells.isAsleep());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sleepingAllocatesNothing(boolean several) {
    AgentBells bells = bells(several);
    ProcessBell process = process(bells);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 5_000; i++) {
        bells.look();
        if ((i & 1) == 0) {
          bells.ring();
        } else {
          ring(bells, process);
        }
        bells.await(1_000, true);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(least < 5_000, least + " bytes in 5,000 sleeps");
  }
}
