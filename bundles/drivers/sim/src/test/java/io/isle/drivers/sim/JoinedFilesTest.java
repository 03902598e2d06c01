package io.isle.drivers.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramSources.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JoinedFilesTest {
  private static File file(String name, String text) {
    return new File(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String joined(List<File> files, File... headers) {
    return new String(new JoinedFiles(files, List.of(headers)).text(), StandardCharsets.UTF_8);
  }

  @Test
  void anIncludeIsTheTextThatItNames() {
    assertEquals(
        "1\n2\n3\n",
        joined(
            List.of(file("src/a.cl", "#include \"one.h\"\n # include <two.h>\n3")),
            file("src/one.h", "#include \"../lib/three.h\""),
            file("one.h", "wrong"),
            file("two.h", "2"),
            file("src/two.h", "wrong"),
            file("lib/three.h", "1")));
  }

  @Test
  void aTextStandsOnceInEachFile() {
    assertEquals(
        "h\na\nh\nb\n",
        joined(
            List.of(
                file("a", "#include \"h\"\n#include \"h\"\na"),
                file("b", "#include \"h\"\n#include \"b\"\nb")),
            file("h", "#include \"h\"\nh")));
  }

  /** Each includes the next one twice. */
  @Test
  void includesDoNotMultiply() {
    List<File> chain =
        IntStream.range(0, 60)
            .mapToObj(i -> file("h" + i, ("#include \"h" + (i + 1) + "\"\n").repeat(2) + "x"))
            .toList();
    File[] headers = Stream.concat(chain.stream(), Stream.of(file("h60", ""))).toArray(File[]::new);
    assertEquals(
        60, joined(List.of(file("a", "#include \"h0\"")), headers).strip().lines().count());
  }

  @Test
  void anIncludeOfNoneSaysWhere() {
    for (String name : List.of("no.h", "../h", "lib/../../h", "/h")) {
      DriverException refusal =
          assertThrows(
              DriverException.class,
              () -> joined(List.of(file("a", "\n#include \"" + name + "\"")), file("h", "")));
      assertEquals(Errno.EINVAL, refusal.code());
      assertEquals("a:2: error: " + name + ": file not found", refusal.getMessage());
    }
  }

  @Test
  void anErrorHasItsFileAndLine() {
    JoinedFiles joined =
        new JoinedFiles(
            List.of(file("a", "1\n#include \"h\"\n3")), List.of(file("h", "first\nsecond")));
    for (String[] place : new String[][] {{"1", "a:1"}, {"2", "h:1"}, {"3", "h:2"}, {"4", "a:3"}}) {
      assertEquals(
          place[1] + ": error: no",
          joined
              .placed(new DriverException(Errno.EINVAL, "line " + place[0] + ": error: no"))
              .getMessage());
    }
    DriverException elsewhere = new DriverException(Errno.EINVAL, "line 77: error: no");
    assertEquals(elsewhere, joined.placed(elsewhere));
    DriverException other = new DriverException(Errno.EEXIST, "program: id 1 is taken");
    assertEquals(other, joined.placed(other));
  }
}
