package io.isle.benchmarks.programs;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A started instance that runs job files, as a user would run them, and a folder for files. Nothing
 * of both remains, also when the benchmark is interrupted.
 */
final class JobInstance implements AutoCloseable {
  private final Settings settings;
  private final Path folder;
  private final String name;
  private final Path data;
  private final Thread hook;

  /**
   * Starts it.
   *
   * @param folder a new folder, deleted at the end
   */
  JobInstance(Settings settings, Path folder) throws IOException, InterruptedException {
    this.settings = settings;
    this.folder = folder;
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

  Path folder() {
    return folder;
  }

  /**
   * What a job told.
   *
   * @param json of {@code job:run --json}
   */
  record Run(String json) {
    /**
     * The time of the job inside the platform, in nanoseconds: from the request, before the job
     * file is read, until all outputs have their names.
     */
    double elapsedNs() throws IOException {
      return number("job", "bench", "elapsed_ns");
    }

    /** The value of a claim. */
    double value(String claim) throws IOException {
      return number("name", claim, "value");
    }

    /** The time of a step inside the platform, in nanoseconds. */
    double elapsedNs(String step) throws IOException {
      return number("step", step, "elapsed_ns");
    }

    private double number(String key, String name, String field) throws IOException {
      Matcher value =
          Pattern.compile(
                  "\"%s\"\\s*:\\s*\"%s\"[^}]*?\"%s\"\\s*:\\s*([-+0-9.eE]+)"
                      .formatted(key, Pattern.quote(name), field))
              .matcher(json);
      if (!value.find()) {
        throw new IOException("the job's result has no " + field + " of the " + key + " " + name);
      }
      return Double.parseDouble(value.group(1));
    }
  }

  /**
   * Runs a job of the folder to its end.
   *
   * @throws Commands.FailedException when the job fails or a claim does not hold
   */
  Run run(Path job) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            settings.distribution().resolve("lib/isle/bin/isle-client").toString(),
            "--dir",
            data.toString(),
            "--as",
            "admin",
            "--words",
            "job:run",
            job.toString(),
            "--json");
    return new Run(Commands.output(command));
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
        delete(folder);
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
