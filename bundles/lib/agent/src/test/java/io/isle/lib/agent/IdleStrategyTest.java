package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleStrategyTest {
  /** More cycles than any that sleeps at last stays awake for. */
  private static final int MANY = 2 * IdleStrategy.MAX_SPINS;

  private final SpinPermits permits = new SpinPermits(1);

  private IdleStrategy idle(IdleMode mode) {
    IdleStrategy idle = new IdleStrategy(permits);
    idle.choose(mode, AgentChoice.MAX_SLEEP_NS);
    return idle;
  }

  @Test
  void onlyTheOneWithThePermitSpins() {
    IdleStrategy first = idle(IdleMode.ADAPTIVE);
    IdleStrategy second = idle(IdleMode.ADAPTIVE);
    int spinning = cyclesUntilSleepy(first);
    int yielding = cyclesUntilSleepy(second);
    assertTrue(spinning > 10 * yielding, spinning + " and " + yielding);
    assertEquals(0, permits.spare());
    sleep(first);
    assertEquals(1, permits.spare());
  }

  @Test
  void spinningAdaptsWithinItsBounds() {
    IdleStrategy idle = idle(IdleMode.ADAPTIVE);
    for (int i = 0; i < 20; i++) {
      cyclesUntilSleepy(idle);
      sleep(idle);
    }
    int shortest = cyclesUntilSleepy(idle);
    for (int i = 0; i < 40; i++) {
      idle.worked();
      assertFalse(idle.sleepy());
    }
    idle.worked();
    int longest = cyclesUntilSleepy(idle);
    assertTrue(shortest >= IdleStrategy.MIN_SPINS && shortest < 2 * IdleStrategy.MIN_SPINS);
    assertTrue(longest > 1000 && longest <= IdleStrategy.MAX_SPINS + 16, "longest " + longest);
  }

  @ParameterizedTest
  @EnumSource(names = {"SPIN", "YIELD"})
  void oneThatStaysAwakeDoesSoWithAPermitOnly(IdleMode mode) {
    IdleStrategy first = idle(mode);
    IdleStrategy second = idle(mode);
    assertEquals(MANY, cyclesUntilSleepy(first));
    assertEquals(0, permits.spare());
    assertTrue(cyclesUntilSleepy(second) < IdleStrategy.MIN_SPINS);
    sleep(second);
    first.close();
    assertEquals(MANY, cyclesUntilSleepy(second), "the next that asks has it");
  }

  @ParameterizedTest
  @EnumSource(names = {"SPIN", "YIELD"})
  void oneThatStaysAwakeGivesItsPermitBackWhenThereAreFewer(IdleMode mode) {
    IdleStrategy idle = idle(mode);
    assertEquals(MANY, cyclesUntilSleepy(idle));
    permits.change(0);
    assertEquals(-1, permits.spare());
    assertTrue(cyclesUntilSleepy(idle) < MANY);
    assertEquals(0, permits.spare());
    permits.change(1);
    assertEquals(MANY, cyclesUntilSleepy(idle));
  }

  @Test
  void oneThatSleepsDoesSoAtOnceAndHasNoPermit() {
    IdleStrategy idle = idle(IdleMode.SPIN);
    assertFalse(idle.sleepy());
    assertEquals(0, permits.spare());
    idle.choose(IdleMode.SLEEP, AgentChoice.MAX_SLEEP_NS);
    assertEquals(1, permits.spare());
    assertEquals(0, cyclesUntilSleepy(idle));
    assertEquals(1, permits.spare());
  }

  @Test
  void noSleepIsLongerThanChosen() {
    IdleStrategy idle = new IdleStrategy(permits);
    assertEquals(AgentChoice.MAX_SLEEP_NS, idle.sleep(Long.MAX_VALUE));
    idle.choose(IdleMode.ADAPTIVE, 1000);
    assertEquals(1000, idle.sleep(Long.MAX_VALUE));
    assertEquals(10, idle.sleep(10));
    assertEquals(0, idle.sleep(-1));
  }

  private static void sleep(IdleStrategy idle) {
    assertTrue(idle.sleep(Long.MAX_VALUE) > 0);
  }

  private static int cyclesUntilSleepy(IdleStrategy idle) {
    int cycles = 0;
    while (cycles < MANY && !idle.sleepy()) {
      cycles++;
    }
    return cycles;
  }
}
