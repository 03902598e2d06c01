package io.isle.api.base;

/**
 * Implemented by exceptions that know which process exit code they stand for, so that a shell
 * command's failure reaches the caller of the launcher with the right number.
 *
 * <p>Codes: {@link #FAILED} a job, command, check or claim failed, an input is missing or
 * unreadable, an id is unknown; {@link #USAGE} wrong before any data was looked at; {@link
 * #MISSING} something that must be installed is missing; {@link #INTERRUPTED} interrupted. An
 * exception that does not implement this interface counts as {@link #FAILED}.
 */
public interface ExitStatus {
  /** A job, command, check or claim failed. */
  int FAILED = 1;

  /** Wrong verb, option, syntax, key or type. */
  int USAGE = 2;

  /** Something that must be installed is missing. */
  int MISSING = 3;

  /** Interrupted by the user. */
  int INTERRUPTED = 130;

  /** The process exit code, 1 to 255. */
  int exitStatus();
}
