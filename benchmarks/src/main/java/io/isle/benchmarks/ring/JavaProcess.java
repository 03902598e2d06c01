package io.isle.benchmarks.ring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the benchmarks in a JVM of its own, on one processor. */
final class JavaProcess implements AutoCloseable {
  private final String what;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BufferedReader results;

  /**
   * Starts the program.
   *
   * @param cpu its processor
   * @param options of the JVM
   */
  JavaProcess(int cpu, Class<?> program, List<String> options, String... arguments)
      throws IOException {
    what = program.getSimpleName() + " " + String.join(" ", arguments);
    errors = Files.createTempFile("isle-bench", ".err");
    List<String> command =
        new ArrayList<>(
            List.of(
                "taskset",
                "-c",
                Integer.toString(cpu),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    commands = process.outputWriter(StandardCharsets.UTF_8);
    results = process.inputReader(StandardCharsets.UTF_8);
  }

  /** The next line that the program prints. */
  String line() throws IOException {
    String line = results.readLine();
    if (line == null) {
      throw new IOException(what + " has ended: " + Files.readString(errors));
    }
    return line;
  }

  /** Gives the program a line; its answer is a number. */
  double ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    return Double.parseDouble(line());
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        throw new IOException(what + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Files.delete(errors);
    }
  }
}
