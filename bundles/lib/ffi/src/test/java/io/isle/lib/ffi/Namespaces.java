package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assumptions.abort;

import io.isle.api.base.Errno;

/** Network namespaces for tests; a test is skipped where the process may not make one. */
final class Namespaces {
  private Namespaces() {}

  static NetNamespace create() {
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
