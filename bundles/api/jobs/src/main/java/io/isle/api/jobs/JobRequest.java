package io.isle.api.jobs;

import java.nio.file.Path;
import java.util.Map;

/**
 * A request to run a job. Immutable.
 *
 * @param file the job file; a relative path is relative to {@code directory}
 * @param directory the caller's directory, absolute; base of relative paths in the parameters'
 *     values
 * @param parameters values of the job's parameters
 * @param user the user, for the history
 * @param admin whether the user may make devices and change settings ({@code setup})
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
