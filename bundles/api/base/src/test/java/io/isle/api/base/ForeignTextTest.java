package io.isle.api.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ForeignTextTest {
  @Test
  void linesStayLinesAndColoursGo() {
    assertEquals(
        "a.cl:1: error\n  x ^\n\tnote?",
        ForeignText.lines("\n\u001b[1;31ma.cl:1: error\u001b[0m\r\n  x ^\r\tnote\u0007\n\n"));
    assertEquals("first; second third", ForeignText.line(" first\n\n  second\tthird\n"));
  }

  @Test
  void theBeginningOfALongTextIsKept() {
    String text = ForeignText.lines("begin" + "x".repeat(100_000) + "end");
    assertTrue(text.startsWith("begin") && text.endsWith("(83624 characters more)"), text);
    assertEquals(ForeignText.MAX_LINE + 3, ForeignText.line("y".repeat(100_000)).length());
  }

  @Test
  void aCharacterIsNotCutInTwo() {
    String text = "x".repeat(ForeignText.MAX_LOG - 1) + "\ud83d\ude00";
    assertTrue(ForeignText.lines(text).startsWith("x".repeat(ForeignText.MAX_LOG - 1) + "\n("));
  }

  @Property
  void nothingCanControlATerminal(@ForAll String text) {
    String clean = ForeignText.lines(text);
    assertFalse(
        clean.codePoints().anyMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t'));
    assertEquals(clean.lines().count() > 0 ? 1 : 0, ForeignText.line(text).lines().count());
  }
}
