package io.isle.spin.jobs.ping;

import java.util.Locale;

/** Who makes answers. */
enum PingMode {
  /** The host: no handlers. */
  HOST,
  /** Handlers alone. */
  OFFLOADED,
  /** Handlers turn a request round, the host completes the answer, handlers send it. */
  BOTH;

  /** As in job files. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
