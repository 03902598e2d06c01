package io.isle.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
  private static final List<String> KNOWN = List.of("one", "two");

  private static Request of(String line) {
    return Request.of(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)), KNOWN);
  }

  @Test
  void aNameIsOneBenchmark() {
    assertEquals(new Request(List.of("two"), false, false, null), of("two"));
    assertEquals(new Request(List.of("two"), false, true, null), of("two --json"));
    assertEquals(new Request(List.of("one"), true, false, null), of("one --smoke"));
    assertEquals(
        new Request(List.of("one"), true, true, Path.of("rows")), of("one --smoke --json rows"));
  }

  @Test
  void aSmokeRunWithoutANameIsOneOfAll() {
    assertEquals(new Request(KNOWN, true, false, null), of("--smoke"));
    assertEquals(new Request(KNOWN, true, true, Path.of("rows")), of("--json rows --smoke"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "--json", "one rows", "one --json a b", "one --odd", "--odd", "three"})
  void anythingElseIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> of(line));
  }
}
