package io.isle.benchmarks.net;

import io.isle.benchmarks.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The program {@code bench-xsk} in one of its modes. One thread. */
final class XskProgram implements AutoCloseable {
  private static final long PATIENCE_S = 30;

  private final String what;
  private final Path errors;
  private final Process process;
  private final Writer commands;
  private final BufferedReader results;

  /**
   * Frames of a run.
   *
   * @param nanos from begin to end
   */
  record Run(long frames, long nanos) {
    double perSecond() {
      return frames * 1e9 / nanos;
    }

    double nanosOfOne() {
      return (double) nanos / frames;
    }
  }

  /**
   * Starts the program, and waits until it is ready.
   *
   * @param row named in failures
   * @param cpu its processor
   */
  XskProgram(Settings settings, String row, int cpu, List<String> arguments) throws IOException {
    what = row + ": bench-xsk " + String.join(" ", arguments);
    errors = Files.createTempFile("isle-bench", ".err");
    List<String> command = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu)));
    command.add(program(settings));
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    commands = process.outputWriter(StandardCharsets.UTF_8);
    results = process.inputReader(StandardCharsets.UTF_8);
    boolean ready = false;
    try {
      expect("ready");
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  static String program(Settings settings) {
    return settings.nativeDirectory().resolve("bench-xsk").toString();
  }

  /** Begins a run. */
  void go(long argument) throws IOException {
    write("go " + argument);
    expect("goes");
  }

  /** Frames of the run so far. */
  long count() throws IOException {
    write("count");
    return Long.parseLong(line());
  }

  /** Ends the run. */
  Run stop() throws IOException {
    write("stop");
    return result();
  }

  /** A run until its own end. */
  Run run(long argument) throws IOException {
    write("run " + argument);
    return result();
  }

  private void write(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
  }

  private void expect(String wanted) throws IOException {
    String line = line();
    if (!line.equals(wanted)) {
      throw new IOException(what + " printed '" + line + "' in place of '" + wanted + "'");
    }
  }

  private Run result() throws IOException {
    String[] words = line().split(" ", -1);
    return new Run(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  private String line() throws IOException {
    CompletableFuture<String> line = new CompletableFuture<>();
    var ignored =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    line.complete(results.readLine());
                  } catch (IOException e) {
                    line.completeExceptionally(e);
                  }
                });
    try {
      String read = line.get(PATIENCE_S, TimeUnit.SECONDS);
      if (read == null) {
        throw new IOException(what + " has ended: " + Files.readString(errors));
      }
      return read;
    } catch (TimeoutException e) {
      throw new IOException(what + " does not answer within " + PATIENCE_S + " s", e);
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(what + " cannot be read", e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new IOException(what + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Files.delete(errors);
    }
  }
}
