package io.isle.api.jobs;

import java.nio.file.Path;
import java.util.Map;

/**
 * A job to run.
 *
 * @param file the job file; a relative path is taken from {@code directory}
 * @param directory the caller's directory, absolute; relative paths among the parameters' values
 *     are taken from it
 * @param parameters values for the job's parameters
 * @param user who asks, for the history
 * @param admin whether the caller may make devices and change settings ({@code setup})
 */
public record JobRequest(
    Path file, Path directory, Map<String, String> parameters, String user, boolean admin) {
  public JobRequest {
    parameters = Map.copyOf(parameters);
    if (!directory.isAbsolute()) {
      throw new IllegalArgumentException("directory " + directory + " is not absolute");
    }
  }
}
