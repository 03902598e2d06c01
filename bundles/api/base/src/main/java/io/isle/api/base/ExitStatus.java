package io.isle.api.base;

/**
 * Implemented by exceptions with a process exit code, so the failure of a shell command reaches the
 * caller of the launcher with this code. An exception without this interface counts as {@link
 * #FAILED}.
 */
public interface ExitStatus {
  /**
   * A job, command, check or claim failed, an input is missing or unreadable, or an id is unknown.
   */
  int FAILED = 1;

  /** Wrong usage, found before any data was read: verb, option, syntax, key or type. */
  int USAGE = 2;

  /** A required program or library is not installed. */
  int MISSING = 3;

  /** Interrupted by the user. */
  int INTERRUPTED = 130;

  /** The process exit code, 1 to 255. */
  int exitStatus();
}
