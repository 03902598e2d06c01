package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownBlocksTest {
  private static List<ShownBlocks.Block> of(String page) {
    return ShownBlocks.of(page.lines().toList());
  }

  @Test
  void indentedLinesAreABlock() {
    assertEquals(
        List.of(
            new ShownBlocks.Block(List.of("./isle run a.yml", "rm a")),
            new ShownBlocks.Block(List.of("# job a"))),
        of("# Title\n\nText\n\n    ./isle run a.yml\n    rm a\n\nprints\n\n    # job a"));
  }

  @Test
  void linesBetweenFencesAreABlock() {
    assertEquals(
        List.of(new ShownBlocks.Block(List.of("./isle stop", "rm a"))),
        of("Text\n```sh\n./isle stop\n\n  rm a\n```\nText"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"./isle stop", "make -C x", "../sdk/bin/tool", "x=1\n    ./isle stop"})
  void commandsAreToldByTheirFirstWord(String block) {
    assertTrue(of("    " + block).getFirst().isCommands());
  }

  @ParameterizedTest
  @ValueSource(strings = {"id   class", "# job  a", "job: sums", "const isle_driver *entry(void);"})
  void otherBlocksAreNotRun(String block) {
    assertFalse(of("    " + block).getFirst().isCommands());
  }

  @Test
  void whatIsLeftOutIsNotInTheScript() {
    ShownBlocks.Block block = of("    ./isle test unit  # a part\n    ./isle stop").getFirst();
    assertEquals("./isle stop\n", block.script());
    assertEquals("", of("    mvn -q package").getFirst().script());
  }
}
