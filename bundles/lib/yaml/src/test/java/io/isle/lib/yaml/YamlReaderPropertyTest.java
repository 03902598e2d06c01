package io.isle.lib.yaml;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever a file holds: values within the bounds, or a mistake that says where it stands. */
class YamlReaderPropertyTest {
  private static final String WHOLE =
      """
      # a file with some of everything
      name: whole
      list: [1, 0x10, "two", 'three', ~, {four: 4}]
      block:
        - a: |
            text
            of lines
          b: >
            folded
        - c: &name !!str 7
        - ? [k]
          : v
      deep: {a: {b: {c: [d]}}}
      """;
  private static final List<String> WORDS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ":",
          "- ",
          "\n",
          " ",
          "&a ",
          "*a",
          "!!int ",
          "|",
          ">",
          "'",
          "\"",
          "null",
          "~",
          "<<",
          "? ",
          "# ",
          "%YAML 9.9",
          "---",
          "...",
          "\t",
          "\u0000",
          "\ufeff",
          "\uD83D\uDE00");

  @Property(tries = 1000)
  void bytes(@ForAll byte[] bytes) {
    check(bytes);
  }

  @Property(tries = 3000)
  void mutations(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int changes) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(WHOLE);
    for (int i = 0; i < changes; i++) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(8));
      String word = WORDS.get(random.nextInt(WORDS.size()));
      switch (random.nextInt(3)) {
        case 0 -> text.delete(from, to);
        case 1 -> text.insert(from, word);
        default -> text.replace(from, to, word);
      }
    }
    check(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 500)
  void spoiltBytes(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = WHOLE.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 4; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    check(bytes);
  }

  private static void check(byte[] bytes) {
    try {
      int count = walk(Value.READER.parse("f.yml", bytes), 0);
      assertTrue(count <= Value.VALUES, () -> count + " values");
    } catch (Value.Mistake e) {
      assertTrue(e.line >= 1, e::getMessage);
      assertTrue(e.getMessage().startsWith("f.yml:" + e.line + ":"), e::getMessage);
    }
  }

  /** Reads all of it; how many values there are without the keys. */
  private static int walk(Value value, int depth) {
    assertTrue(depth <= Value.DEPTH, () -> "depth " + depth);
    int count = 1;
    if (value.isMapping()) {
      for (Value each : value.all().values()) {
        count += walk(each, depth + 1);
      }
    } else if (!value.isScalar()) {
      for (Value each : value.list()) {
        count += walk(each, depth + 1);
      }
    } else if (!value.isEmpty()) {
      assertTrue(value.text().length() <= YamlValue.MAX_TEXT);
    }
    return count;
  }
}
