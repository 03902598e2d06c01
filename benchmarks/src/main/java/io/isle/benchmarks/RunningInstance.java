package io.isle.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process of the benchmark's own distribution, started as a user would start it. Nothing of it
 * remains, also when the benchmark is interrupted.
 */
final class RunningInstance implements AutoCloseable {
  private final Settings settings;
  private final String name;
  private final Path data;
  private final Thread hook;

  /** Starts it. */
  RunningInstance(Settings settings) throws IOException, InterruptedException {
    this.settings = settings;
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

  /** Runs a shell command to its end. */
  String command(String... words) throws IOException, InterruptedException {
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

  /** Runs the launcher with this benchmark's own distribution, not one that is newer. */
  String launcher(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(settings.root().resolve("isle").toString()));
    command.addAll(List.of(words));
    command.addAll(List.of("--instance", name));
    return Commands.output(
        command,
        Map.of(
            "ISLE_STATE", settings.state().toString(),
            "ISLE_DIST", settings.distribution().toString()));
  }

  private void end() {
    try {
      String ignored = launcher("stop");
      Folders.delete(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the instance " + name + " stops", e);
    }
  }

  @Override
  public void close() {
    boolean ignored = Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }
}
