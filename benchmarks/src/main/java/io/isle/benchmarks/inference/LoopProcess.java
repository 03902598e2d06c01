package io.isle.benchmarks.inference;

import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
    return new JavaProcess(
        settings,
        CPU,
        LoopProcess.class,
        List.of("-Disle.native=" + settings.nativeDirectory()),
        loop.name());
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
