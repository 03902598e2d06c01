package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EchoInputTest {
  /** The pieces, of which some are wanted behind the end. */
  private static List<String> pieces(String text, int further) throws IOException {
    int[] left = {further};
    EchoInput input =
        new EchoInput(
            new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)),
            3,
            () -> left[0]-- > 0);
    List<String> all = new ArrayList<>();
    for (int length = input.next(); length >= 0; length = input.next()) {
      all.add(new String(input.piece(), 0, length, StandardCharsets.US_ASCII));
    }
    assertEquals((text.length() + 2) / 3, input.pieces());
    return all;
  }

  @Test
  void aStreamIsCutIntoPieces() throws IOException {
    assertEquals(List.of("abc", "def", "g"), pieces("abcdefg", 0));
    assertEquals(List.of("abc"), pieces("abc", 0));
    assertEquals(List.of(), pieces("", 0));
  }

  @Test
  void theFirstPiecesFollowAgain() throws IOException {
    assertEquals(List.of("abc", "de", "abc", "de", "abc"), pieces("abcde", 3));
    assertEquals(List.of("", ""), pieces("", 2));
  }
}
