package io.isle.apps.chaos.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartTest {
  @ParameterizedTest
  @CsvSource({
    "core, 1, false",
    "leaf, 1, true",
    "core;weight=2, 2, false",
    "leaf; weight=3, 3, true",
    "leaf;weight=0, 0, true",
    "leaf;jobs=end, 1, true",
    "leaf;jobs=end;weight=12, 12, true",
    "leaf;weight=2;jobs=end, 2, true"
  })
  void theHeaderSaysClassAndWeight(String header, int weight, boolean leaf) {
    assertEquals(Optional.of(new Part("a.b", weight, leaf)), Part.of("a.b", header));
  }

  @Test
  void aBundleMayStayOut() {
    assertEquals(Optional.empty(), Part.of("a.b", "none"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "root", "leaf;", "leaf,core", "leaf;weight", "leaf;weight=-1"})
  void anyOtherHeaderIsRefusedWithTheBundlesName(String header) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Part.of("a.b", header));
    assertTrue(refused.getMessage().startsWith("a.b: Isle-Restart"), refused::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"leaf;weight=x", "leaf;weight=1000", "leaf;jobs=begin"})
  void aWeightThatIsNoSmallNumberIsRefused(String header) {
    assertThrows(IllegalArgumentException.class, () -> Part.of("a.b", header));
  }
}
