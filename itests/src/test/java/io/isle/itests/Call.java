package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program that runs, above all the launcher; its output is read while it does. */
final class Call {
  private static final int LIMIT_S = 120;

  private final List<String> command;
  private final Process process;
  private final CompletableFuture<String> out;
  private final CompletableFuture<String> err;

  private Call(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    out = read(process.getInputStream());
    err = read(process.getErrorStream());
  }

  /** Calls {@code ./isle} on the state and the distribution of these tests. */
  static Call isle(Map<String, String> environment, List<String> arguments) {
    // a build in the background ignores Ctrl-C, and whatever it starts would inherit that
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Platform.root().resolve("isle").toString());
    command.addAll(arguments);
    return begin(Platform.STATE.getParent(), environment, command);
  }

  /** Starts a command without input; an empty value takes a variable out of the environment. */
  static Call begin(Path directory, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    Map<String, String> variables = builder.environment();
    variables.put("ISLE_STATE", Platform.STATE.toString());
    variables.put("ISLE_DIST", System.getProperty("isle.dist"));
    variables.putAll(environment);
    variables.values().removeIf(String::isEmpty);
    try {
      Files.createDirectories(Platform.STATE);
      Process process = builder.start();
      process.getOutputStream().close();
      return new Call(command, process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /**
   * SIGINT to the launcher and to its client, as a terminal sends it when Ctrl-C is pressed:
   * neither runs before both have it.
   */
  void interrupt() {
    List<String> both = new ArrayList<>(List.of(Long.toString(process.pid())));
    process
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("/isle-client"))
        .forEach(client -> both.add(Long.toString(client.pid())));
    assertEquals(2, both.size(), "a launcher and its client");
    for (String signal : List.of("-STOP", "-INT", "-CONT")) {
      List<String> kill = new ArrayList<>(List.of("kill", signal));
      kill.addAll(both);
      begin(Platform.root(), Map.of(), kill).end().succeeded();
    }
  }

  /**
   * SIGKILL. The output until then stays readable, unlike after {@link Process#destroyForcibly}; a
   * ssh client may miss a SIGTERM just before it waits.
   */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits for its end, at most two minutes. */
  Platform.Result end() {
    return end(LIMIT_S);
  }

  /**
   * Waits for its end.
   *
   * @param seconds after which the program is stopped, and the test fails
   */
  Platform.Result end(int seconds) {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError(command + " does not end");
      }
      return new Platform.Result(process.exitValue(), out.join(), err.join());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static CompletableFuture<String> read(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        Call::startThread);
  }

  /** A platform thread: while it reads a pipe, a virtual one would keep a processor from others. */
  static void startThread(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }
}
