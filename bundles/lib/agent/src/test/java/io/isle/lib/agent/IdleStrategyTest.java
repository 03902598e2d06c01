package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.Doorbell;
import java.lang.foreign.Arena;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class IdleStrategyTest {
  private final Doorbell bell = new Doorbell(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto());
  private final Semaphore permits = new Semaphore(1);

  @Test
  void onlyTheOneWithThePermitSpins() {
    IdleStrategy first = new IdleStrategy(bell, permits);
    IdleStrategy second = new IdleStrategy(bell, permits);
    int spinning = cyclesUntilSleepy(first);
    int yielding = cyclesUntilSleepy(second);
    assertTrue(spinning > 10 * yielding, spinning + " and " + yielding);
    assertEquals(0, permits.availablePermits());
    first.sleep(bell.ticket() - 1, Long.MAX_VALUE);
    assertEquals(1, permits.availablePermits());
  }

  @Test
  void spinningAdaptsWithinItsBounds() {
    IdleStrategy idle = new IdleStrategy(bell, permits);
    for (int i = 0; i < 20; i++) {
      cyclesUntilSleepy(idle);
      idle.sleep(bell.ticket() - 1, Long.MAX_VALUE);
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

  private static int cyclesUntilSleepy(IdleStrategy idle) {
    int cycles = 0;
    while (!idle.sleepy()) {
      cycles++;
    }
    return cycles;
  }
}
