package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class IdleStrategyTest {
  private final AgentBells bells =
      new AgentBells(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto());
  private final Semaphore permits = new Semaphore(1);

  @Test
  void onlyTheOneWithThePermitSpins() {
    IdleStrategy first = new IdleStrategy(bells, permits);
    IdleStrategy second = new IdleStrategy(bells, permits);
    int spinning = cyclesUntilSleepy(first);
    int yielding = cyclesUntilSleepy(second);
    assertTrue(spinning > 10 * yielding, spinning + " and " + yielding);
    assertEquals(0, permits.availablePermits());
    sleep(first);
    assertEquals(1, permits.availablePermits());
  }

  @Test
  void spinningAdaptsWithinItsBounds() {
    IdleStrategy idle = new IdleStrategy(bells, permits);
    for (int i = 0; i < 20; i++) {
      cyclesUntilSleepy(idle);
      sleep(idle);
    }
    int shortest = cyclesUntilSleepy(idle);
    for (int i = 0; i < 40; i++) {
      idle.worked();
      assertTrue(!idle.sleepy());
    }
    idle.worked();
    int longest = cyclesUntilSleepy(idle);
    assertTrue(shortest >= IdleStrategy.MIN_SPINS && shortest < 2 * IdleStrategy.MIN_SPINS);
    assertTrue(longest > 1000 && longest <= IdleStrategy.MAX_SPINS + 16, "longest " + longest);
  }

  /** Somebody rings in between, so that it is short. */
  private void sleep(IdleStrategy idle) {
    bells.look();
    bells.ring();
    idle.sleep(Long.MAX_VALUE, true);
  }

  private static int cyclesUntilSleepy(IdleStrategy idle) {
    int cycles = 0;
    while (!idle.sleepy()) {
      cycles++;
    }
    return cycles;
  }
}
