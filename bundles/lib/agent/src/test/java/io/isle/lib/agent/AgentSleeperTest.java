package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents with a sleeper of their own. */
@Timeout(60)
class AgentSleeperTest {
  /** Sleeps on a semaphore, however long. */
  private static final class Sleeper implements AgentSleeper {
    final Semaphore woken = new Semaphore(0);
    final Semaphore slept = new Semaphore(0);

    @Override
    public void look() {}

    @Override
    public void sleep(long timeoutNs) {
      slept.release();
      woken.acquireUninterruptibly();
    }

    @Override
    public void wake() {
      woken.release();
    }
  }

  private static final class Sleepy implements Agent {
    final AtomicInteger cycles = new AtomicInteger();
    final Semaphore cycled = new Semaphore(0);
    final String name;
    final Optional<AgentSleeper> sleeper;

    Sleepy(String name, AgentSleeper sleeper) {
      this.name = name;
      this.sleeper = Optional.ofNullable(sleeper);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int doWork() {
      int ignored = cycles.incrementAndGet();
      cycled.release();
      return 0;
    }

    @Override
    public long cycleNs() {
      return System.nanoTime();
    }

    @Override
    public Optional<AgentSleeper> sleeper() {
      return sleeper;
    }

    @Override
    public void onFailure(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private static AgentBells bells(Arena arena) {
    return new AgentBells(arena.allocate(4096, 64), arena);
  }

  @Test
  void aWakeEndsTheSleepOfALoneAgent() throws InterruptedException {
    Sleeper sleeper = new Sleeper();
    Sleepy agent = new Sleepy("lone", sleeper);
    try (Arena arena = Arena.ofShared();
        ThreadedAgentHost host = new ThreadedAgentHost(0, System::nanoTime)) {
      AgentHost.Placement placement = host.start(agent, bells(arena));
      sleeper.slept.acquire();
      int before = agent.cycles.get();
      sleeper.wake();
      sleeper.slept.acquire();
      assertTrue(agent.cycles.get() > before);
      placement.close();
      assertEquals(0, host.agents().size());
    }
  }

  @Test
  void aThreadOfSeveralAgentsLooksAgainSoon() throws InterruptedException {
    Sleeper sleeper = new Sleeper();
    Sleepy agent = new Sleepy("with", sleeper);
    Sleepy other = new Sleepy("without", null);
    try (Arena arena = Arena.ofShared();
        ThreadedAgentHost host = new ThreadedAgentHost(0, System::nanoTime)) {
      host.choose(
          name ->
              new AgentChoice(
                  Optional.of("both"),
                  AgentChoice.DEFAULT.processors(),
                  IdleMode.SLEEP,
                  AgentChoice.MAX_SLEEP_NS));
      AgentHost.Placement second = host.start(other, bells(arena));
      AgentHost.Placement first = host.start(agent, bells(arena));
      assertTrue(agent.cycled.tryAcquire(100, 30, TimeUnit.SECONDS));
      int ignored = agent.cycled.drainPermits();
      assertTrue(agent.cycled.tryAcquire(20, 30, TimeUnit.SECONDS));
      second.close();
      first.close();
    }
  }
}
