package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.driver.DeviceSeed;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeedNumbersTest {
  private final SeedNumbers numbers = new SeedNumbers();

  @Test
  void newSeedsTakeTheFirstFreeNumberAndKnownOnesKeepTheirs() {
    assertEquals(List.of("d0:a", "d1:b"), assign("a", "b"));
    assertEquals(List.of("d2:c", "d1:b", "d0:a"), assign("c", "b", "a"));
    assertEquals(List.of("d1:b"), assign("b"));
    assertEquals(List.of("d1:b", "d0:x"), assign("b", "x"));
  }

  @Test
  void aSeedNamedTwiceCountsOnce() {
    assertEquals(List.of("d0:a", "d1:b"), assign("a", "a", "b"));
  }

  private List<String> assign(String... names) {
    List<DeviceSeed> seeds = Stream.of(names).map(Fixtures::seed).toList();
    return numbers.assign("d", seeds).entrySet().stream()
        .map(entry -> entry.getKey().id() + ":" + entry.getValue().name())
        .toList();
  }
}
