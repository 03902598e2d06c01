package io.isle.mltool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes have an answer a line. */
class BatchFuzzTest {
  @MethodSource("seeds")
  @FuzzTest
  void eachLineHasItsAnswer(byte[] input) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8);
    int code =
        BatchVerify.run(new Tool(new ByteArrayInputStream(input), print, false, Clock.systemUTC()));
    print.flush();
    List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
    int lines = 0;
    for (int i = 0; i < input.length; i++) {
      if (input[i] == '\n' || i + 1 == input.length) {
        lines++;
      }
    }
    assertEquals(lines, answers.size());
    assertTrue(answers.stream().allMatch(answer -> answer.startsWith("{\"id\":")));
    assertEquals(code == 0, answers.stream().allMatch(a -> a.contains("\"valid\":true,")));
  }

  static Stream<byte[]> seeds() {
    return Stream.of(
            "",
            "\n\n",
            "{\"id\":1e99,\"alg\":\"ml-dsa-44\",\"key\":\"\",\"msg\":\"\",\"sig\":\"\",\"ctx\":\"00\"}\n",
            "{\"id\":\"\\ud800\",\"alg\":\"ed25519\",\"key\":\"00\",\"msg\":\"\",\"sig\":\"00\"}",
            "{\"id\":{\"a\":[1]},\"alg\":null}\n[{}]\n")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }
}
