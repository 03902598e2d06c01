package io.isle.benchmarks.inference;

import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A loop in a JVM of its own, where it alone decides what the compilers make of the code. Reads
 * numbers of rounds, and answers each with the nanoseconds of a round.
 */
public final class LoopProcess {
  /** The processor of ours and of peers. */
  static final String CPU = "1";

  private LoopProcess() {}

  /** Starts the process for a loop. */
  static JavaProcess start(Settings settings, Loops loop) throws IOException {
    return start(settings, loop, List.of());
  }

  /**
   * The same for a loop that unpacks libraries, which stay when the process is killed.
   *
   * @param folder for them
   */
  static JavaProcess start(Settings settings, Loops loop, Path folder) throws IOException {
    return start(settings, loop, List.of("-Djava.io.tmpdir=" + folder));
  }

  private static JavaProcess start(Settings settings, Loops loop, List<String> more)
      throws IOException {
    List<String> options = new ArrayList<>(more);
    options.add("-Disle.native=" + settings.nativeDirectory());
    return new JavaProcess(settings, CPU, LoopProcess.class, options, loop.name());
  }

  public static void main(String[] arguments) throws Exception {
    Loop loop = Loops.valueOf(arguments[0]).make();
    try (BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String line = commands.readLine();
      while (line != null) {
        System.out.println(loop.measure(Integer.parseInt(line)));
        line = commands.readLine();
      }
    }
  }
}
