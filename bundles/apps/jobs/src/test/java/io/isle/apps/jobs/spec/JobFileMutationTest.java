package io.isle.apps.jobs.spec;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Random changes of a job file that uses everything. */
class JobFileMutationTest {
  private static final List<String> WORDS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ":",
          "- ",
          "\n",
          " ",
          "&a ",
          "*a",
          "!!int ",
          "|",
          ">",
          "'",
          "\"",
          "${input}",
          "${",
          "$${",
          "}",
          "job",
          "steps",
          "streams",
          "null",
          "~",
          "1e999",
          "-1",
          "99999999999999999999",
          "9223372036854775807TiB",
          "0x",
          "<<",
          "? ",
          "# ",
          "%YAML 9.9",
          "---",
          "...",
          "\t",
          "\u0000",
          "\ufeff",
          "\uD83D\uDE00",
          "()",
          "((((",
          "ceil",
          "log2(",
          "%",
          ">>",
          "{f32: [",
          "{struct: [",
          "{local: ",
          "local_x",
          "any",
          "../",
          "*.h",
          "==",
          "true");

  @Property(tries = 3000)
  void mutationsOfAWholeJob(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 12) int changes,
      @ForAll boolean kernels) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(kernels ? Examples.KERNELS : Examples.WHOLE);
    for (int i = 0; i < changes; i++) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(8));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(from, to);
        case 1 -> text.insert(from, WORDS.get(random.nextInt(WORDS.size())));
        case 2 -> text.insert(random.nextInt(text.length() + 1), text.substring(from, to));
        default -> text.replace(from, to, WORDS.get(random.nextInt(WORDS.size())));
      }
    }
    Mutations.check(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theJobsThemselvesAreGood() {
    for (String text : List.of(Examples.WHOLE, Examples.KERNELS)) {
      Mutations.parse(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Property(tries = 1000)
  void bytes(@ForAll byte[] bytes) {
    Mutations.check(bytes);
  }

  @Property(tries = 500)
  void spoiltBytesOfAWholeJob(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = Examples.WHOLE.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 4; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    Mutations.check(bytes);
  }
}
