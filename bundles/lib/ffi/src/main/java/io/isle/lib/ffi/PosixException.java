package io.isle.lib.ffi;

import io.isle.api.base.IsleException;

/** The failure of a system call; the code is its errno. */
public final class PosixException extends IsleException {
  private static final long serialVersionUID = 1L;

  PosixException(String call, int errno, String text) {
    super(errno, call + ": " + text, null);
  }
}
