package io.isle.tck;

import io.isle.api.base.Errno;

/** A completion as the driver told it. */
record Ended(long tag, int status, long startNs, long endNs, long busyNs, int detail) {
  private static final String[] NAMES = {
    "SUCCESS", "ERROR", "TIMEOUT", "PREEMPTED", "PARTIAL_ERROR"
  };

  String text() {
    String name = status >= 0 && status < NAMES.length ? NAMES[status] : "status " + status;
    return detail < 0 ? name + " (" + Errno.name(detail) + ")" : name;
  }
}
