package io.isle.core.accel.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class QuotedLinesTest {
  private static final ProgramCode FILES =
      ProgramCode.of(
          new ProgramSource.OpenClFiles(
              List.of(
                  new SourceFile("a.cl", "one\n\ttwo;\nthree\n"),
                  new SourceFile("lib/a.cl", "first\r\nsecond\r\n"),
                  new SourceFile("my file.cl", "x".repeat(500))),
              List.of(new SourceFile("n.h", "#line 7\nnine")),
              ""));

  private static ProgramCode single(String source) {
    return ProgramCode.of(new ProgramSource.OpenClC(source));
  }

  private static void quoted(String wanted, String log) {
    assertEquals(log + "\n" + wanted, QuotedLines.of(log, FILES));
  }

  @Test
  void theLineThatALogNamesIsBehindIt() {
    quoted("    2 | two;\n", "error: a.cl:2:5: no type");
    quoted("    2 | second\n", "error: lib/a.cl:2: no type");
    quoted("    1 | " + "x".repeat(160) + "...\n", "\"my file.cl:1\": too long");
    quoted("    3 | three\n", "EINVAL: a.cl:3:1: error, and a.cl:1:1: a note");
    assertEquals(
        "a.cl:1:1: no\n    1 | one\na.cl:2:1: nor this\n    2 | two;\n",
        QuotedLines.of("a.cl:1:1: no\na.cl:2:1: nor this", FILES));
  }

  @Test
  void otherTextStaysAsItIs() {
    for (String log :
        List.of(
            "",
            "no place",
            "other/a.cl:2:5: of another file",
            "xa.cl:2: of another file",
            "a.cl:9: behind the end",
            "a.cl:0: before the begin",
            "a.cl:12345678901: no number",
            "a.cl: no line",
            "n.h:8: lines have other numbers there")) {
      assertEquals(log.isEmpty() ? "" : log + "\n", QuotedLines.of(log, FILES));
    }
    String shown = "a.cl:2:5: error\n   two;\n   ^\n";
    assertEquals(shown, QuotedLines.of(shown, FILES));
  }

  @Test
  void aPlaceIsQuotedOnceAndFivePlacesAtMost() {
    String log = "a.cl:1: a\n".repeat(3);
    assertEquals("a.cl:1: a\n    1 | one\na.cl:1: a\na.cl:1: a\n", QuotedLines.of(log, FILES));
    ProgramCode code = single("x1\nx2\nx3\nx4\nx5\nx6\nx7\n");
    StringBuilder many = new StringBuilder();
    for (int i = 1; i <= 7; i++) {
      many.append("program.cl:").append(i).append(":1: error\n");
    }
    String quoted = QuotedLines.of(many.toString(), code);
    assertEquals(12, quoted.lines().count());
    assertTrue(quoted.contains("    5 | x5\n") && !quoted.contains("    6 | "), quoted);
  }

  @Test
  void aSingleSourceHasTheNameOfItsFirstLine() {
    assertEquals(
        "blur.cl:2:1: error\n    2 | second\n",
        QuotedLines.of("blur.cl:2:1: error", single("#line 1 \"blur.cl\"\nfirst\nsecond\n")));
    assertEquals(
        "program.cl:1:1: error\n    1 | first\n",
        QuotedLines.of("program.cl:1:1: error", single("first\nsecond\n")));
    String renumbered = "#line 1 \"blur.cl\"\nfirst\n # line 1\nsecond\n";
    assertEquals("blur.cl:1:1: error\n", QuotedLines.of("blur.cl:1:1: error", single(renumbered)));
  }

  /** Nothing of a log is lost. */
  @Property
  void theLogIsThere(@ForAll String log) {
    String quoted = QuotedLines.of(log, FILES);
    List<String> kept = quoted.lines().filter(line -> !line.startsWith("    ")).toList();
    assertTrue(
        kept.containsAll(log.lines().filter(line -> !line.startsWith("    ")).toList()), quoted);
  }
}
