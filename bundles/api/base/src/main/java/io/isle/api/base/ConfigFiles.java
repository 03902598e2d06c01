package io.isle.api.base;

import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes settings files. Commands, pages and bundles change settings only by this
 * service: a change reaches the file in {@code etc/} (UTF-8, written to a temporary file and
 * renamed) and Config Admin with the same strings. Thread-safe.
 */
public interface ConfigFiles {
  /** The settings in the file of {@code pid}; empty if the file does not exist. */
  Optional<Map<String, String>> read(String pid);

  /**
   * Sets keys of {@code pid}. Other keys and the comments of the file stay unchanged.
   *
   * @param changes key to value; a null value removes the key
   * @throws IllegalArgumentException if the pid is not a valid file name, or a key is not valid
   * @throws java.io.UncheckedIOException if the file cannot be written, or Config Admin refuses the
   *     settings; the file is unchanged, unless the message reports a change
   */
  void set(String pid, Map<String, String> changes);

  /**
   * The settings of every {@code factoryPid-NAME.cfg} by NAME, from Config Admin, without Config
   * Admin's own keys and with stripped values. A name is the part of the file name, without any
   * check.
   *
   * @throws java.io.UncheckedIOException if the settings cannot be read
   */
  Map<String, Map<String, String>> instances(String factoryPid);

  /**
   * Deletes the file and the configuration of {@code pid}.
   *
   * @return false if neither existed
   * @throws java.io.UncheckedIOException as for {@link #set}
   */
  boolean delete(String pid);
}
