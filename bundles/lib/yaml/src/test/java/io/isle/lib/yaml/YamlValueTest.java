package io.isle.lib.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class YamlValueTest {
  @Test
  void valuesKnowTheirPlace() {
    Value root = Value.parse("steps:\n  - args: [1, 2]\n    name: x\n");
    Value steps = root.all().get("steps");
    Value second = steps.list().getFirst().all().get("args").list().get(1);
    assertEquals("", root.path());
    assertEquals("steps[0].args[1]", second.path());
    assertMistake("f.yml:2:15: steps[0].args[1]: is wrong", () -> fail(second));
    assertMistake("f.yml:1:1: is wrong", () -> fail(root));
    Value name = steps.list().getFirst().all().get("name");
    assertEquals(3, name.error("is wrong").line);
  }

  private static void fail(Value value) {
    throw value.error("is wrong");
  }

  @Test
  void entriesAreInTheOrderOfTheFile() {
    Value root = Value.parse("{z: 1, a: 2, m: 3}");
    assertEquals(List.of("z", "a", "m"), List.copyOf(root.all().keySet()));
    assertEquals(List.of("z", "a", "m"), List.copyOf(root.mapping("a", "m", "z").keySet()));
  }

  @Test
  void keysAreThoseThatAreAllowed() {
    Value root = Value.parse("a: 1\nb: {c: 2}");
    assertMistake("f.yml:2:4: b: unknown key; allowed here: a, d", () -> root.mapping("a", "d"));
    Value inner = root.all().get("b");
    assertMistake("f.yml:2:8: b.c: unknown key; allowed here: d", () -> inner.mapping("d"));
  }

  @Test
  void aKeyStandsOnce() {
    Value root = Value.parse("a: {b: 1, 'b': 2}");
    assertMistake("f.yml:1:11: a.b: is given twice", () -> root.all().get("a").all());
  }

  @Test
  void aKeyIsAShortText() {
    Value list = Value.parse("a: {[b]: 1}").all().get("a");
    assertMistake("f.yml:1:5: a: a key must be a short text", list::all);
    String longest = "k".repeat(YamlValue.MAX_TEXT);
    assertTrue(Value.parse("{? " + longest + " : 1}").all().containsKey(longest));
    Value tooLong = Value.parse("{? " + longest + "k : 1}");
    assertMistake("f.yml:1:4: a key must be a short text", tooLong::all);
  }

  @Test
  void whatIsAskedForMustStandThere() {
    Value root = Value.parse("{scalar: x, list: [x], mapping: {x: y}, nothing: }");
    Value scalar = root.all().get("scalar");
    Value list = root.all().get("list");
    Value mapping = root.all().get("mapping");
    Value nothing = root.all().get("nothing");
    assertMistake("f.yml:1:10: scalar: must be a mapping (key: value)", scalar::all);
    assertMistake("f.yml:1:19: list: must be a mapping (key: value)", list::mapping);
    assertMistake("f.yml:1:10: scalar: must be a list", scalar::list);
    assertMistake("f.yml:1:33: mapping: must be a list", mapping::list);
    assertMistake("f.yml:1:19: list: must be a single value", list::text);
    assertMistake("f.yml:1:33: mapping: must be a single value", mapping::text);
    assertMistake("nothing: needs a value", nothing::text);
    assertTrue(scalar.isScalar() && mapping.isMapping());
    assertTrue(nothing.isScalar() && nothing.isEmpty());
    assertFalse(scalar.isMapping() || scalar.isEmpty());
    assertFalse(list.isMapping() || list.isScalar() || list.isEmpty());
    assertFalse(mapping.isScalar() || mapping.isEmpty());
  }

  @Test
  void emptinessIsNotTheEmptyText() {
    Value root = Value.parse("{a: '', b: null, c: 'null', d: ~}");
    assertEquals("", root.all().get("a").text());
    assertTrue(root.all().get("b").isEmpty());
    assertEquals("null", root.all().get("c").text());
    assertEquals("~", root.all().get("d").text());
  }

  @Test
  void aMappingMayHaveMappings() {
    assertTrue(Value.parse("{a: 1, b: {}}").hasMappings());
    assertFalse(Value.parse("{a: 1, b: [{}]}").hasMappings());
    assertFalse(Value.parse("[{}]").hasMappings());
  }

  @Test
  void textsAreBounded() {
    String longest = "x".repeat(YamlValue.MAX_TEXT);
    assertEquals(longest, Value.parse("a: " + longest).all().get("a").text());
    Value tooLong = Value.parse("a: " + longest + "x").all().get("a");
    assertMistake("f.yml:1:4: a: is longer than 4096 characters", tooLong::text);
  }

  @Test
  void textsAreAsTheyStandThere() {
    Value root = Value.parse("[0x10, 1_000, yes, 1.50, 2001-01-01, !!int 7]");
    assertEquals(
        List.of("0x10", "1_000", "yes", "1.50", "2001-01-01", "7"),
        root.list().stream().map(Value::text).toList());
  }

  private static void assertMistake(String message, Executable action) {
    Value.Mistake e = assertThrows(Value.Mistake.class, action);
    assertTrue(e.getMessage().endsWith(message), e::getMessage);
    assertTrue(e.getMessage().startsWith("f.yml:" + e.line + ":"), e::getMessage);
  }
}
