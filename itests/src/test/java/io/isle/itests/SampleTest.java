package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {
  private static String difference(List<String> sample, String printed) {
    return new Sample(sample).difference(printed);
  }

  @Test
  void numbersUnitsAndColumnsMayDiffer() {
    List<String> sample = List.of("# tier  2", "# main  hash  soft0  21.6 ms  1 ==  1, holds");
    assertEquals("", difference(sample, "# tier 1\n# main hash soft0  870 us  23 == 23, holds\n"));
  }

  @Test
  void wordsMayNot() {
    List<String> sample = List.of("# device  soft0");
    assertEquals("the page lacks '# device soft1'", difference(sample, "# device soft1\n"));
    assertEquals("the page lacks '# device sim0'", difference(sample, "# device sim0\n"));
    assertEquals("'# device soft0' is not printed", difference(sample, ""));
  }

  @Test
  void aSummaryIsWhole() {
    List<String> sample = List.of("# bytes  1", "# tier  2");
    assertEquals("", difference(sample, "A HASH\n# bytes 3\n# tier 2\n"));
    assertEquals(
        "the page lacks '# blocks N'", difference(sample, "# bytes 3\n# blocks 2\n# tier 2\n"));
    assertEquals("the page lacks '# more'", difference(sample, "# bytes 3\n# tier 2\n# more\n"));
  }

  @Test
  void otherOutputMayHaveMoreLines() {
    List<String> sample = List.of("id  state", "soft0  active");
    assertEquals("", difference(sample, "id state\nopencl0 active\nsoft0 active\n"));
    assertEquals("'soft0 active' is not printed", difference(sample, "soft0 active\nid state\n"));
  }

  @Test
  void theRestOfALineMayBeLeftOut() {
    assertEquals(
        "", difference(List.of("# group  promised ..."), "# job a\n# group  promised x\n"));
    assertEquals(
        "'# group promised ...' is not printed",
        difference(List.of("# group  promised ..."), "# group given\n"));
  }
}
