package io.isle.apps.jobs.spec;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.lib.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Path;

/** Reads a job file; job files come from anywhere. */
public final class JobFile {
  public static final int MAX_BYTES = 256 * 1024;
  private static final int MAX_DEPTH = 32;
  private static final int MAX_NODES = 10_000;

  private static final YamlReader<Located> READER =
      new YamlReader<>(
          new YamlReader.Bounds(MAX_BYTES, MAX_DEPTH, MAX_NODES),
          "a job file needs at least job, steps",
          Located::new);

  private JobFile() {}

  /** Reads {@code file}. */
  public static Located read(Path file) {
    try {
      return READER.read(file);
    } catch (IOException e) {
      throw JobException.failed(
          Errno.ENOENT, "job file " + file + ": " + YamlReader.reason(file, e), e);
    }
  }

  /**
   * Parses the bytes of a job file.
   *
   * @param file its name for messages
   */
  public static Located parse(String file, byte[] bytes) {
    return READER.parse(file, bytes);
  }
}
