package io.isle.faces.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private record Row(String name, long bytes) {}

  private final Table<Row> table =
      new Table<Row>("Nothing here.")
          .column("name", Row::name)
          .column("memory_bytes", "memory", Row::bytes, Sizes::bytes)
          .jsonOnly("hidden", row -> null);

  @Test
  void numbersStandAtTheRight() {
    assertEquals(
        List.of("name    memory", "a       64 MiB", "longer     1 B"),
        table.lines(List.of(new Row("a", 64 << 20), new Row("longer", 1)), 0));
  }

  @Test
  void theWidestColumnIsCutWhereTheTerminalIsNarrow() {
    List<String> lines = table.lines(List.of(new Row("x".repeat(100), 1)), 20);
    assertEquals(List.of("name          memory", "xxxxxxxxxxx~     1 B"), lines);
    assertTrue(table.lines(List.of(new Row("xy", 1)), 1).size() == 2);
  }

  @Test
  void idsAreNeverCutAndWhatCanBeSparedGoesFirst() {
    Table<Row> tight =
        new Table<Row>("Nothing here.")
            .column("id", row -> "soft0/partition0")
            .whole()
            .column("name", Row::name)
            .column("memory_bytes", "memory", Row::bytes, Sizes::bytes)
            .spare()
            .column("more", row -> "more")
            .spare();
    List<Row> rows = List.of(new Row("abcdefgh", 1));
    assertEquals("soft0/partition0  abcdefgh     1 B  more", tight.lines(rows, 40).get(1));
    assertEquals("soft0/partition0  abcdefgh     1 B", tight.lines(rows, 39).get(1));
    assertEquals("soft0/partition0  abcdefgh", tight.lines(rows, 33).get(1));
    assertEquals("soft0/partition0  abc~", tight.lines(rows, 22).get(1));
    assertEquals("soft0/partition0  abc~", tight.lines(rows, 5).get(1));
  }

  @Test
  void controlCharactersReachNoTerminal() {
    String line = table.lines(List.of(new Row("a\u001b[31m\nb\u009b\u202e", 1)), 0).get(1);
    assertTrue(line.chars().noneMatch(Character::isISOControl), line);
    assertFalse(line.contains("\u202e"), "nor do those that turn text round");
  }

  @Test
  void anEmptyTableSaysSoAndIsAnEmptyArrayInJson() {
    assertEquals("Nothing here.\n", printed(false, List.of()));
    assertEquals("[]\n", printed(true, List.of()));
  }

  @Test
  void jsonHasPlainValuesAndAllFields() {
    assertEquals(
        "[{\"name\":\"\\u00FC\\\"\",\"memory_bytes\":67108864,\"hidden\":null}]\n",
        printed(true, List.of(new Row("ü\"", 64 << 20))));
  }

  private String printed(boolean json, List<Row> rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new Output(new PrintStream(bytes, true, StandardCharsets.UTF_8), json, 80).table(table, rows);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
