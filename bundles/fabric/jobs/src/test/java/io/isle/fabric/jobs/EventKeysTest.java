package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupResource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventKeysTest {
  static SetupResource ring(String process) {
    Map<String, String> values = new HashMap<>();
    RingKeys.parameters()
        .forEach(
            parameter -> parameter.preset().ifPresent(text -> values.put(parameter.name(), text)));
    values.putAll(Map.of("nodes", "3", "layers", "12", "process", process, "stage", "mix"));
    return new SetupResource("demo", new ActionValues(values));
  }

  private static String mistake(String process, String event, String key, String value) {
    Optional<ActionMistake> found =
        EventKeys.check(ring(process), event, new ActionValues(Map.of(key, value)));
    return found.map(one -> one.parameter() + ": " + one.message()).orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          own    | kill   | node       | demo-1   | ''
          own    | hang   | node       | demo-2   | ''
          shared | cut    | node       | demo-0   | ''
          own    | kill   | node       | demo-3   | node: 'demo-3' is not one of demo-0, demo-1, demo-2
          own    | kill   | node       | demo-0   | node: demo-0 runs in the platform's process; kill needs a worker of a ring with 'process: own'
          shared | hang   | node       | demo-1   | node: demo-1 runs in the platform's process; hang needs a worker of a ring with 'process: own'
          own    | resize | boundaries | 4 8 12   | ''
          own    | resize | boundaries | 4, 12    | ''
          own    | resize | boundaries | 4        | ''
          own    | resize | boundaries | 8 4      | boundaries: boundary 2 is 4, not above 8 before it
          own    | resize | boundaries | 4 13     | boundaries: boundary 2 is 13, not in 1..12 (layers)
          own    | resize | boundaries | 1 2 3 4  | boundaries: are for 3 workers; the ring has 2
          own    | resize | boundaries | four     | boundaries: 'four' are not whole numbers, such as 4 8 12
          """)
  void mistakesAreFoundBeforeTheJob(
      String process, String event, String key, String value, String expected) {
    assertEquals(expected, mistake(process, event, key, value));
  }

  @Test
  void theFilesOfAProcessOfItsOwnSaySo() {
    assertEquals(Map.of("stage", "mix", "process", "own"), RingKeys.plan(ring("own")).workers());
    assertEquals(Map.of("stage", "mix"), RingKeys.plan(ring("shared")).workers());
    assertEquals("isle", RingKeys.plan(ring("own")).common().get("next.dialect"));
  }
}
