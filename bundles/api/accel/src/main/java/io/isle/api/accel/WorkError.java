package io.isle.api.accel;

import io.isle.api.base.Errno;

/**
 * A driver's report about a submission that the driver ended with an error. Immutable.
 *
 * @param point point of the submission
 * @param outcome ERROR or PARTIAL_ERROR
 * @param code a negated code of the driver, or the count of a partial error
 * @param line newest warning or error that the driver logged, at most a second before the begin of
 *     the submission and not after its end; empty if the driver logged no such line, or the line is
 *     no longer known
 */
public record WorkError(long point, CompletionStatus outcome, int code, String line) {
  /** Outcome, code and line as one text. */
  public String text() {
    String what = outcome + ", " + (code < 0 ? Errno.name(code) : "detail " + code);
    return line.isEmpty() ? what : what + "; last line of the driver's log: " + line;
  }
}
