package io.isle.net.ports.port;

import io.isle.api.net.NetException;
import io.isle.lib.ffi.SocketErrors;

/** What a user is told when a port cannot be opened. */
public final class Failures {
  private Failures() {}

  /**
   * The result of a call.
   *
   * @param what address and call
   * @param code result, negative for a failure
   * @throws NetException for a failure
   */
  public static int check(String what, int code) {
    if (code < 0) {
      throw new NetException(-code, what + ": " + SocketErrors.text(code));
    }
    return code;
  }
}
