package io.isle.lib.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ThreadChoiceTest {
  private static AgentChoice choice(IdleMode idle, long maxSleepNs, Integer... processors) {
    return new AgentChoice(Optional.empty(), Set.of(processors), idle, maxSleepNs);
  }

  private static ThreadChoice of(Map<String, AgentChoice> agents) {
    return ThreadChoice.of(new TreeMap<>(agents));
  }

  @Test
  void oneAgentGetsWhatWasChosen() {
    ThreadChoice choice = of(Map.of("a", choice(IdleMode.SLEEP, 500, 3, 1)));
    assertEquals(
        new ThreadChoice(IdleMode.SLEEP, 500, new TreeSet<>(Set.of(1, 3)), List.of()), choice);
    assertEquals(IdleMode.ADAPTIVE, of(Map.of("a", AgentChoice.DEFAULT)).idle());
  }

  @Test
  void aThreadIsAsWakefulAsItsMostWakefulAgent() {
    List<IdleMode> wakeful = List.of(IdleMode.values());
    assertEquals(
        List.of(IdleMode.SLEEP, IdleMode.ADAPTIVE, IdleMode.YIELD, IdleMode.SPIN), wakeful);
    for (IdleMode one : wakeful) {
      for (IdleMode other : wakeful) {
        IdleMode both = wakeful.get(Math.max(one.ordinal(), other.ordinal()));
        assertEquals(both, of(Map.of("a", choice(one, 9), "b", choice(other, 8))).idle());
      }
    }
  }

  @Test
  void aThreadSleepsNoLongerThanAnyOfItsAgentsMay() {
    Map<String, AgentChoice> agents =
        Map.of(
            "a",
            choice(IdleMode.SLEEP, 9),
            "b",
            choice(IdleMode.SLEEP, 7),
            "c",
            choice(IdleMode.SLEEP, 8));
    assertEquals(7, of(agents).maxSleepNs());
  }

  @Test
  void aThreadRunsWhereAllOfItsAgentsMay() {
    IdleMode idle = IdleMode.ADAPTIVE;
    assertEquals(
        Set.of(2),
        of(Map.of("a", choice(idle, 1, 1, 2), "b", choice(idle, 1), "c", choice(idle, 1, 2, 3)))
            .processors());
  }

  @Test
  void whoHasNoneInCommonWithThoseBeforeDoesNotCount() {
    IdleMode idle = IdleMode.ADAPTIVE;
    ThreadChoice choice =
        of(Map.of("a", choice(idle, 1, 1, 2), "b", choice(idle, 1, 3), "c", choice(idle, 1, 2, 3)));
    assertEquals(Set.of(2), choice.processors());
    assertEquals(List.of("b"), choice.left());
  }

  @Test
  void aSleepIsWithinWhatIsTrusted() {
    assertThrows(IllegalArgumentException.class, () -> choice(IdleMode.SLEEP, 0));
    assertThrows(
        IllegalArgumentException.class, () -> choice(IdleMode.SLEEP, AgentChoice.MAX_SLEEP_NS + 1));
  }
}
