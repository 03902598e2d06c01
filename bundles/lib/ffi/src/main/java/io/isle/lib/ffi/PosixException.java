package io.isle.lib.ffi;

import io.isle.api.base.IsleException;

/** The failure of a system call; the code is its errno. */
public final class PosixException extends IsleException {
  private static final long serialVersionUID = 1L;

  /**
   * The failure of a call that reports by codes.
   *
   * @param call what was called
   * @param code a positive or negated errno
   */
  public PosixException(String call, int code) {
    this(call, Math.abs(code), SocketErrors.text(code));
  }

  PosixException(String call, int errno, String text) {
    super(errno, call + ": " + text, null);
  }
}
