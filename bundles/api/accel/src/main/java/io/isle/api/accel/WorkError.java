package io.isle.api.accel;

import io.isle.api.base.Errno;

/**
 * What a driver said of a submission that it ended with an error.
 *
 * @param outcome ERROR or PARTIAL_ERROR
 * @param code of the driver: a negated code, or what it counts of a partial error
 * @param line what the driver logged last as a warning or an error, at most a second before the
 *     submission began and not after it had ended; empty if there is nothing, or nothing is known
 *     any more
 */
public record WorkError(long point, CompletionStatus outcome, int code, String line) {
  /** Outcome, code and line, in words. */
  public String text() {
    String what = outcome + ", " + (code < 0 ? Errno.name(code) : "detail " + code);
    return line.isEmpty() ? what : what + ", and its driver's last line is: " + line;
  }
}
