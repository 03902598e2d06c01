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

/** A program that answers lines with numbers. */
public class AskedProcess implements AutoCloseable {
  private final String what;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BufferedReader results;

  /**
   * Starts the program.
   *
   * @param what for messages
   * @param cpus its processors, such as {@code 1} or {@code 0,1}
   */
  public AskedProcess(String what, String cpus, List<String> program) throws IOException {
    this.what = what;
    errors = Files.createTempFile("isle-bench", ".err");
    List<String> command = new ArrayList<>(List.of("taskset", "-c", cpus));
    command.addAll(program);
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
