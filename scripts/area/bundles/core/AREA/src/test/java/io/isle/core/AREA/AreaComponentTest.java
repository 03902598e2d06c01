package io.isle.core.AREA;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.AREA.Area;
import io.isle.api.AREA.Area.Note;
import io.isle.api.AREA.AreaException;
import io.isle.api.base.Errno;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreaComponentTest {
  private static final Map<String, Object> TWO = Map.of("capacity", "2");

  private final AreaComponent component = new AreaComponent(TWO);

  private void add(String... texts) {
    for (String text : texts) {
      assertEquals(text, component.add(text).text());
    }
  }

  private List<Long> numbers() {
    return component.notes().stream().map(Note::number).toList();
  }

  @Test
  void theOldestNoteGoesWhereThereIsNoRoom() {
    add("one", "two", "three");
    assertEquals(List.of(new Note(2, "two"), new Note(3, "three")), component.notes());
  }

  @Test
  void aChangeOfTheSettingsHoldsAtOnce() {
    add("one", "two");
    component.modified(Map.of("capacity", "1"));
    assertEquals(List.of(2L), numbers());
  }

  @Test
  void aBadValueLeavesTheLastGoodOneInForce() {
    component.modified(Map.of("capacity", "0"));
    add("one", "two", "three");
    assertEquals(List.of(2L, 3L), numbers());
  }

  @Test
  void aMissingValueIsTheDefault() {
    component.modified(Map.of());
    add("one", "two", "three");
    assertEquals(List.of(1L, 2L, 3L), numbers());
  }

  @Test
  void aNoteIsOneLine() {
    assertEquals("one; two ?", component.add("one\ntwo \u0007").text());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Area.MAX_TEXT + 1})
  void aNoteOfAnotherLengthIsRefused(int length) {
    String text = "x".repeat(length);
    var refused = assertThrows(AreaException.class, () -> component.add(text));
    assertEquals(Errno.EINVAL, refused.code());
    assertEquals(List.of(), component.notes());
  }
}
