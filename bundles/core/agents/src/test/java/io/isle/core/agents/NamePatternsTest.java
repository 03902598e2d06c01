package io.isle.core.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternsTest {
  private static NamePatterns<String> parse(String text) {
    return NamePatterns.parse(text, "soft0 one", Function.identity());
  }

  @Test
  void theMostSpecificThatMatchesHolds() {
    NamePatterns<String> values = parse("* any, s* s, soft* soft, *0 zero, soft0 exact, s*f*0 two");
    assertEquals("exact", values.find("soft0").orElseThrow());
    assertEquals("soft", values.find("soft1").orElseThrow());
    assertEquals("s", values.find("sim7").orElseThrow());
    assertEquals("zero", values.find("opencl0").orElseThrow());
    assertEquals("any", values.find("display1").orElseThrow());
    assertEquals(Optional.empty(), parse("soft soft").find("soft0"));
  }

  @Test
  void ofTwoThatAreAsLongTheOneWithFewerStarsHoldsThenTheFirst() {
    assertEquals("none", parse("soft0* star, soft0 none").find("soft0").orElseThrow());
    assertEquals("first", parse("so*0 first, s*t0 other").find("soft0").orElseThrow());
    assertEquals("other", parse("s*t0 other, so*0 first").find("soft0").orElseThrow());
  }

  @Test
  void nothingIsNoEntry() {
    assertEquals(0, parse("  ").entries().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "soft0;'soft0' is not of the form NAME VALUE, such as: soft0 one",
        "Soft0 x;'Soft0 x' is not of the form NAME VALUE, such as: soft0 one",
        "soft0 x,;'' is not of the form NAME VALUE, such as: soft0 one",
        "soft0 x, soft0 y;soft0 is given twice",
      })
  void whatIsNoEntryIsRefused(String text, String why) {
    assertEquals(why, assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage());
  }

  @Test
  void aMessageRepeatsNoMoreThanABeginning() {
    String why =
        assertThrows(IllegalArgumentException.class, () -> parse("\u001b" + "x".repeat(900)))
            .getMessage();
    assertEquals(
        "'?" + "x".repeat(63) + "...' is not of the form NAME VALUE, such as: soft0 one", why);
  }

  @Property(tries = 2_000)
  void aStarStandsForAnyCharacters(
      @ForAll @Chars({'a', 'b', '*'}) @StringLength(min = 1, max = 9) String pattern,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 12) String name) {
    String regex =
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    assertEquals(name.matches(regex), parse(pattern + " x").find(name).isPresent());
  }

  /** In time of the product of both lengths; one that tries all ways would not end. */
  @Test
  void manyStarsCostNoMore() {
    NamePatterns<String> values = parse("*a".repeat(32) + " x");
    assertEquals(Optional.empty(), values.find("a".repeat(60) + "b"));
  }
}
