package io.isle.api.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckedSettingsTest {
  private static final Setting COUNT = Setting.integer("count", 1, 9, 3, "how many");
  private static final Setting SIZE = Setting.bytes("size", 0, 1 << 20, 4096, "how large");
  private static final Setting ON = Setting.bool("on", true, "whether");
  private static final CheckedSettings DEFAULTS =
      CheckedSettings.defaults(List.of(COUNT, SIZE, ON));

  private final List<String> refused = new ArrayList<>();

  @Test
  void aMissingValueIsTheDefaultAndAGoodOneIsTaken() {
    CheckedSettings set =
        DEFAULTS.change(Map.of("count", 5, "size", " 8K ", "other", "x"), refused::add);
    assertEquals(5, set.number(COUNT));
    assertEquals(8192, set.number(SIZE));
    assertTrue(set.flag(ON));
    assertEquals(Map.of("count", "5", "size", "8192"), set.since(DEFAULTS));
    assertEquals(3, set.change(Map.of(), refused::add).number(COUNT));
    assertEquals(List.of(), refused);
  }

  @Test
  void aBadValueLeavesTheOneOfBefore() {
    CheckedSettings before = DEFAULTS.change(Map.of("count", "5"), refused::add);
    for (String bad : List.of("", "0", "10", "five", "99999999999999999999")) {
      CheckedSettings after = before.change(Map.of("count", bad, "on", "false"), refused::add);
      assertEquals(5, after.number(COUNT), bad);
      assertFalse(after.flag(ON), bad);
    }
    assertEquals(5, refused.size());
    assertEquals("count: '' is not a number from 1 to 9; 5 stays in force", refused.getFirst());
  }

  @Test
  void sizesHaveTheNotationOfAllSizes() {
    for (String text : List.of("512k", "512KiB", "512 KiB", "512 kib", "524288")) {
      assertEquals(512 << 10, DEFAULTS.change(Map.of("size", text), refused::add).number(SIZE));
    }
    assertEquals(List.of(), refused);
    var ignored = DEFAULTS.change(Map.of("size", "1 MB"), refused::add);
    ignored = DEFAULTS.change(Map.of("size", "2m"), refused::add);
    String wanted =
        " is not a number of bytes from 0 to 1048576 (with k, m, g, t or KiB, MiB, GiB, TiB);"
            + " 4096 stays in force";
    assertEquals(List.of("size: '1 MB'" + wanted, "size: '2m'" + wanted), refused);
  }

  @Test
  void oneValueMayBeSet() {
    assertEquals("7", DEFAULTS.with(COUNT, "7").text(COUNT));
  }
}
