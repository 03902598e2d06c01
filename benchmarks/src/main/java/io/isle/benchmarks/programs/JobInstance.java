package io.isle.benchmarks.programs;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Instance;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An instance that runs job files, and a folder for files, deleted at the end. */
final class JobInstance implements AutoCloseable {
  private final Path folder;
  private final Instance instance;

  /**
   * Starts it.
   *
   * @param folder a new folder
   */
  JobInstance(Settings settings, Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    instance = new Instance(settings, List.of(folder));
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
    return new Run(instance.command("job:run", job.toString(), "--json"));
  }

  @Override
  public void close() {
    instance.close();
  }
}
