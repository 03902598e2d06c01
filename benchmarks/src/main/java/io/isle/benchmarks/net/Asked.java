package io.isle.benchmarks.net;

import io.isle.lib.ffi.ThreadAffinity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/** What processes of this benchmark have in common: commands, and a thread on each processor. */
final class Asked {
  private Asked() {}

  /** Reads lines {@code NAME NUMBER} from the input, and prints a number for each. */
  static void answer(Map<String, IntToDoubleFunction> commands) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      System.out.println(commands.get(words[0]).applyAsDouble(Integer.parseInt(words[1])));
    }
  }

  /** Starts a thread on the second processor, which ends with the process. */
  static void start(Runnable work) {
    var ignored =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  pin(1);
                  work.run();
                });
  }

  /** Keeps the calling thread on a processor. */
  static void pin(int processor) {
    int code = ThreadAffinity.pin(Set.of(processor));
    if (code != 0) {
      throw new IllegalStateException(
          "a thread cannot be kept on processor " + processor + ": " + code);
    }
  }
}
