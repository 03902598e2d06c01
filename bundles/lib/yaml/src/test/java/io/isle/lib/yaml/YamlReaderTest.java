package io.isle.lib.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files from anywhere: what is too long, too deep, too much, or nothing at all. */
class YamlReaderTest {
  @TempDir Path folder;

  @Test
  void bytesAreBounded() throws IOException {
    String longest = "a: b #" + "x".repeat(Value.BYTES - 6);
    assertEquals("b", Value.parse(longest).all().get("a").text());
    assertMistake(longest + "x", "f.yml:1:1: is longer than 65536 bytes");
    Path file = folder.resolve("long.yml");
    Files.writeString(file, longest);
    assertEquals("b", Value.READER.read(file).all().get("a").text());
    Files.writeString(file, longest + "more than that");
    Value.Mistake e = assertThrows(Value.Mistake.class, () -> Value.READER.read(file));
    assertEquals(file + ":1:1: is longer than 65536 bytes", e.getMessage());
  }

  /** Bytes count, not characters. */
  @Test
  void wideCharactersCountAsWhatTheyTake() {
    String smiles = "\uD83D\uDE00".repeat(Value.BYTES / 4);
    assertMistake("a: '" + smiles + "'", "is longer than 65536 bytes");
  }

  @Test
  void depthIsBounded() {
    Value value = Value.parse("[".repeat(5) + "x" + "]".repeat(5));
    for (int i = 0; i < Value.DEPTH; i++) {
      value = value.list().getFirst();
    }
    assertEquals("x", value.text());
    assertMistake("[[[[\n [[x]]]]]]", "f.yml:2:3: is nested deeper than 5 levels");
    assertMistake("a: {b: [{c: {d: [1]}}]}", "f.yml:1:17: is nested deeper than 5 levels");
    assertMistake("[".repeat(Value.BYTES), "f.yml:1:6: is nested deeper than 5 levels");
    assertMistake("- ".repeat(Value.BYTES / 2), "f.yml:1:11: is nested deeper than 5 levels");
  }

  @Test
  void listsBesideEachOtherAreNotDeep() {
    assertEquals(20, Value.parse("[" + "[[[]]],".repeat(20) + "]").list().size());
  }

  @Test
  void valuesAreBounded() {
    // the list itself counts, and so do keys
    assertEquals(99, Value.parse("[" + "a,".repeat(99) + "]").list().size());
    assertMistake("[" + "a,".repeat(100) + "]", "f.yml:1:200: has more than 100 values");
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < 49; i++) {
      keys.append("k").append(i).append(": 1\n");
    }
    assertEquals(49, Value.parse(keys.toString()).all().size());
    assertMistake(keys + "k: 1", "f.yml:50:4: has more than 100 values");
  }

  @Test
  void aliasesAreRefused() {
    assertMistake("a: &x 1\nb: *x", "f.yml:2:4: aliases (*name) are not supported; repeat the");
    assertMistake("&x [*x]", "f.yml:1:5: aliases");
    assertEquals("1", Value.parse("a: &x 1").all().get("a").text(), "a name alone does no harm");
  }

  @Test
  void whatIsNoText() {
    for (byte[] bytes : new byte[][] {{(byte) 0xff}, {'a', ':', ' ', (byte) 0xc3}}) {
      Value.Mistake e = assertThrows(Value.Mistake.class, () -> Value.READER.parse("f.yml", bytes));
      assertEquals("f.yml:1:1: is not UTF-8", e.getMessage());
    }
  }

  @Test
  void whatIsNoYaml() {
    assertMistake("job: j\n  x: [", "f.yml:2:4: is not YAML: ");
    assertMistake("a: b\nc: 'd", "is not YAML: ");
    assertMistake("a: \u0000", "is not YAML: ");
    assertMistake("a: 1\n---\nb: 2", "f.yml:2:1: is not YAML: ");
    assertMistake("%YAML 9.9\n---\na: 1", "is not YAML: ");
  }

  @Test
  void nothingIsNotEnough() {
    assertMistake("", "f.yml:1:1: is empty; it needs something");
    assertMistake("# a remark\n", "f.yml:1:1: is empty; it needs something");
  }

  @Test
  void whatCannotBeRead() throws IOException {
    Path gone = folder.resolve("gone.yml");
    assertEquals("the file does not exist", reason(gone));
    assertEquals("is a directory", reason(folder));
    Path there = Files.writeString(folder.resolve("there.yml"), "a: 1");
    IOException broken = new IOException("Input/output error");
    assertEquals("cannot be read: Input/output error", YamlReader.reason(there, broken));
  }

  private static String reason(Path file) {
    IOException e = assertThrows(IOException.class, () -> Value.READER.read(file));
    return YamlReader.reason(file, e);
  }

  private static void assertMistake(String text, String message) {
    Value.Mistake e =
        assertThrows(
            Value.Mistake.class,
            () -> Value.READER.parse("f.yml", text.getBytes(StandardCharsets.UTF_8)));
    assertTrue(e.getMessage().startsWith("f.yml:" + e.line + ":"), e::getMessage);
    assertTrue(e.getMessage().contains(message), e::getMessage);
    assertEquals(1, e.getMessage().lines().count(), e::getMessage);
  }
}
