package io.isle.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the benchmarks in a JVM of its own. */
public final class JavaProcess implements AutoCloseable {
  private final String what;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BufferedReader results;

  /**
   * Starts the program.
   *
   * @param settings in a smoke run, which is over before code is hot, only the fast compiler works
   * @param cpus its processors, such as {@code 1} or {@code 0,1}
   * @param options of the JVM
   */
  public JavaProcess(
      Settings settings, String cpus, Class<?> program, List<String> options, String... arguments)
      throws IOException {
    what = program.getSimpleName() + " " + String.join(" ", arguments);
    errors = Files.createTempFile("isle-bench", ".err");
    List<String> command =
        new ArrayList<>(
            List.of(
                "taskset",
                "-c",
                cpus,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(settings.size(List.of(), List.of("-XX:TieredStopAtLevel=1")));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    commands = process.outputWriter(StandardCharsets.UTF_8);
    results = process.inputReader(StandardCharsets.UTF_8);
  }

  /** The next line that the program prints. */
  public String line() throws IOException {
    String line = results.readLine();
    if (line == null) {
      throw new IOException(what + " has ended: " + Files.readString(errors));
    }
    return line;
  }

  /** Gives the program a line; its answer is a number. */
  public double ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    return Double.parseDouble(line());
  }

  public long pid() {
    return process.pid();
  }

  /** Sends a signal, such as {@code STOP}. */
  public void signal(String name) throws IOException, InterruptedException {
    String ignored = Commands.output(List.of("kill", "-" + name, Long.toString(pid())));
  }

  /** Kills the program, without a wait. */
  public void kill() {
    Process ignored = process.destroyForcibly();
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
