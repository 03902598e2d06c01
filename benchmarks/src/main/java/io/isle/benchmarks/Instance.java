package io.isle.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A started instance of the benchmark's own distribution, as a user would start it, and folders for
 * files. Nothing of all remains, also when the benchmark is interrupted.
 */
public final class Instance implements AutoCloseable {
  private final Settings settings;
  private final List<Path> folders;
  private final String name;
  private final Path data;
  private final Thread hook;

  /**
   * Starts it.
   *
   * @param folders deleted at the end
   */
  public Instance(Settings settings, List<Path> folders) throws IOException, InterruptedException {
    this.settings = settings;
    this.folders = List.copyOf(folders);
    name = "bench-" + ProcessHandle.current().pid();
    data = settings.state().resolve("instances").resolve(name);
    hook = Thread.ofPlatform().name("end-" + name).unstarted(this::end);
    Runtime.getRuntime().addShutdownHook(hook);
    boolean started = false;
    try {
      String ignored = launcher("start");
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Runs a shell command to its end, and returns its output.
   *
   * @throws Commands.FailedException when the command fails
   */
  public String command(String... words) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                settings.distribution().resolve("lib/isle/bin/isle-client").toString(),
                "--dir",
                data.toString(),
                "--as",
                "admin",
                "--words"));
    command.addAll(List.of(words));
    return Commands.output(command);
  }

  /** This benchmark's own distribution, not one that is newer. */
  private String launcher(String verb) throws IOException, InterruptedException {
    return Commands.output(
        List.of(settings.root().resolve("isle").toString(), verb, "--instance", name),
        Map.of(
            "ISLE_STATE", settings.state().toString(),
            "ISLE_DIST", settings.distribution().toString()));
  }

  private void end() {
    try {
      try {
        String ignored = launcher("stop");
        delete(data);
      } finally {
        for (Path folder : folders) {
          delete(folder);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the instance " + name + " stops", e);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() {
    boolean ignored = Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }
}
