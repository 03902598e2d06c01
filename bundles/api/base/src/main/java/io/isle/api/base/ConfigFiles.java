package io.isle.api.base;

import java.util.Map;
import java.util.Optional;

/**
 * The one way in which commands, pages and bundles edit settings: a change reaches the file in
 * {@code etc/} (written beside, then renamed, UTF-8) and Config Admin with the same strings.
 * Thread-safe.
 */
public interface ConfigFiles {
  /** The settings of {@code pid} as they stand in its file, or empty if there is no such file. */
  Optional<Map<String, String>> read(String pid);

  /**
   * Sets keys of {@code pid}, keeping the other keys and the file's comments.
   *
   * @param changes key to value; a null value removes the key
   * @throws IllegalArgumentException for a pid or key that cannot be a file name or key
   * @throws java.io.UncheckedIOException when the file cannot be written or its settings are not
   *     taken; then nothing changed, or the message says that the file did
   */
  void set(String pid, Map<String, String> changes);

  /**
   * The settings of every {@code factoryPid-NAME.cfg} by NAME, as they stand in Config Admin,
   * without its own keys and without blanks around the values. A name is whatever the file's name
   * says.
   *
   * @throws java.io.UncheckedIOException when they cannot be read
   */
  Map<String, Map<String, String>> instances(String factoryPid);

  /**
   * Deletes the file and the configuration; returns false if there was none.
   *
   * @throws java.io.UncheckedIOException as {@link #set}
   */
  boolean delete(String pid);
}
