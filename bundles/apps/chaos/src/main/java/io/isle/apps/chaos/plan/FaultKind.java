package io.isle.apps.chaos.plan;

import java.util.Locale;

/** What is done to the platform. */
public enum FaultKind {
  /** The driver meets SIGSEGV; a Java driver loses its device. */
  CRASH_SEGV,
  /** The driver aborts. */
  CRASH_ABORT,
  /** The driver ends its process. */
  CRASH_EXIT,
  /** The driver host is killed from outside. */
  CRASH_KILL,
  /** The driver host stands still. */
  HOST_HANG,
  /** A submission never leaves the engine. */
  HANG,
  /** A submission fails and spoils its context. */
  CONTEXT_ERROR,
  /** A submission runs, but its completion never comes. */
  LOST_COMPLETION,
  /** An administrator reloads the driver. */
  RELOAD,
  /** An administrator resets the device. */
  RESET,
  /** The device moves to the other isolation tier. */
  TIER,
  /** The device is suspended and resumed. */
  SUSPEND,
  /** A setting of the device changes. */
  SETTINGS,
  /** A setting gets a value that must be refused. */
  BAD_SETTINGS,
  /** A bundle stops and starts, or is updated. */
  BUNDLE_RESTART;

  /** Whether the driver's process, or what stands for it, ends. */
  public boolean crash() {
    return switch (this) {
      case CRASH_SEGV, CRASH_ABORT, CRASH_EXIT, CRASH_KILL -> true;
      default -> false;
    };
  }

  /** How a driver calls it that is told to fail so. */
  public String fault() {
    return text().replace("crash_", "");
  }

  /** Lower case, as in tables and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
