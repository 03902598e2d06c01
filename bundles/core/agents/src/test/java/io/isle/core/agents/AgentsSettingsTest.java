package io.isle.core.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.agent.AgentChoice;
import io.isle.lib.agent.IdleMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentsSettingsTest {
  private final List<String> refused = new ArrayList<>();
  private final AgentsSettings defaults = AgentsSettings.defaults(Set.of(0, 1, 2, 3, 8));

  private AgentsSettings change(AgentsSettings before, String... keys) {
    Map<String, String> properties = new HashMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      properties.put(keys[i], keys[i + 1]);
    }
    return before.change(properties, refused::add);
  }

  @Test
  void withoutAFileAgentsAreAdaptiveAndOnTheirOwn() {
    assertEquals(AgentChoice.DEFAULT, defaults.choice("soft0"));
    assertEquals(OptionalInt.empty(), defaults.spinners());
    assertEquals(
        Math.max(1, Runtime.getRuntime().availableProcessors() / 2), AgentsSettings.spinners(-1));
    assertEquals(0, AgentsSettings.spinners(0));
  }

  @Test
  void eachKeyHoldsForTheAgentsThatItNames() {
    AgentsSettings settings =
        change(
            defaults,
            "spinners",
            "3",
            "thread",
            "soft* shared",
            "cpu",
            "* 0, soft0 1-2 8",
            "idle",
            "soft0 spin, soft1 yield, sim* sleep, soft2 adaptive",
            "max_sleep_us",
            "soft0 150");
    assertEquals(List.of(), refused);
    assertEquals(OptionalInt.of(3), settings.spinners());
    assertEquals(
        new AgentChoice(Optional.of("shared"), Set.of(1, 2, 8), IdleMode.SPIN, 150_000),
        settings.choice("soft0"));
    assertEquals(
        new AgentChoice(Optional.of("shared"), Set.of(0), IdleMode.YIELD, AgentChoice.MAX_SLEEP_NS),
        settings.choice("soft1"));
    assertEquals(
        new AgentChoice(Optional.empty(), Set.of(0), IdleMode.SLEEP, AgentChoice.MAX_SLEEP_NS),
        settings.choice("sim0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spinners|two|spinners: 'two' is not a number from -1 to 1024; -1 stays in force",
        "thread|soft0 A|thread: soft0: 'A' is not a name of up to 64 of a-z, 0-9, '_' and '-'; ''"
            + " stays in force",
        "cpu|soft0 x|cpu: soft0: 'x' is neither a processor N nor a range N-M; '' stays in force",
        "cpu|soft0 3-1|cpu: soft0: '3-1' is neither a processor N nor a range N-M; '' stays in"
            + " force",
        "cpu|soft0 0-9999|cpu: soft0: '0-9999' is neither a processor N nor a range N-M; '' stays"
            + " in force",
        "cpu|soft0 2-4|cpu: soft0: processor 4 does not exist or is not allowed to this process;"
            + " allowed are 0-3 8; '' stays in force",
        "idle|soft0 fast|idle: soft0: 'fast' is not adaptive, sleep, spin or yield; '' stays in"
            + " force",
        "max_sleep_us|soft0 0|max_sleep_us: soft0: '0' is not a number from 1 to 20000; '' stays"
            + " in force",
        "max_sleep_us|soft0 20001|max_sleep_us: soft0: '20001' is not a number from 1 to 20000; ''"
            + " stays in force",
      })
  void aBadValueIsRefusedWithItsReason(String key, String value, String why) {
    AgentsSettings settings = change(defaults, key, value);
    assertEquals(List.of(why), refused);
    assertEquals(AgentChoice.DEFAULT, settings.choice("soft0"));
  }

  @Test
  void theLastGoodValueStays() {
    AgentsSettings good = change(defaults, "idle", "soft0 spin", "thread", "soft0 a");
    AgentsSettings bad = change(good, "idle", "soft0 spin, x", "thread", "soft0 b");
    assertEquals(1, refused.size());
    assertTrue(refused.getFirst().endsWith("; 'soft0 spin' stays in force"), refused::toString);
    assertEquals(IdleMode.SPIN, bad.choice("soft0").idle());
    assertEquals(Optional.of("b"), bad.choice("soft0").thread());
    assertEquals(AgentChoice.DEFAULT, change(bad).choice("soft0"), "a key that is gone");
  }
}
