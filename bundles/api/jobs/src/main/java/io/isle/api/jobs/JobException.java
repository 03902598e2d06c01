package io.isle.api.jobs;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.base.IsleException;

/** The refusal or failure of a job; the message has file, line, column and field. */
public final class JobException extends IsleException {
  private static final long serialVersionUID = 1L;

  private final int exitStatus;
  private final int line;

  private JobException(int code, int exitStatus, int line, String message, Throwable cause) {
    super(code, message, cause);
    this.exitStatus = exitStatus;
    this.line = line;
  }

  /**
   * A mistake in the job file or in the parameters.
   *
   * @param line line in the job file, from 1; 0 for none
   */
  public static JobException usage(int line, String message) {
    return new JobException(Errno.EINVAL, ExitStatus.USAGE, line, message, null);
  }

  /**
   * A failure during the preparation or the run of a job.
   *
   * @param code a code of {@link io.isle.api.base.Errno}
   */
  public static JobException failed(int code, String message, Throwable cause) {
    return new JobException(code, ExitStatus.FAILED, 0, message, cause);
  }

  /** A cancel by the user. */
  public static JobException interrupted(String message) {
    return new JobException(Errno.ECANCELED, ExitStatus.INTERRUPTED, 0, message, null);
  }

  /** Line in the job file, from 1; 0 for none. */
  public int line() {
    return line;
  }

  @Override
  public int exitStatus() {
    return exitStatus;
  }
}
