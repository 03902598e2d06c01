package io.isle.net.xdp.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PosixException;

/** Network namespaces for tests; a test is skipped where the process may not make one. */
public final class Spaces {
  private Spaces() {}

  public static NetNamespace create() {
    try {
      return NetNamespace.create();
    } catch (PosixException e) {
      if (e.code() == Errno.EPERM) {
        return abort("network namespaces need root: " + e.getMessage());
      }
      throw e;
    }
  }
}
