package io.isle.api.device;

import java.util.Locale;

/**
 * The reason to take a device from its driver (accelerator framework, 42.3.2, 42.3.7). Immutable.
 *
 * @param kind kind of cause
 * @param text the observed fault in words, such as the signal that ended the host
 * @param signal signal that ended the driver's process; 0 without a signal
 */
public record RecoveryCause(Kind kind, String text, int signal) {
  private static final int SIGKILL = 9;

  /** A cause without a signal. */
  public RecoveryCause(Kind kind, String text) {
    this(kind, text, 0);
  }

  /** Whether the driver's process was killed from outside. */
  public boolean killed() {
    return signal == SIGKILL;
  }

  /** Kinds of causes. An orderly cause loses no work and no contents. */
  public enum Kind {
    /** The driver's process ended. */
    CRASH(false),
    /** The driver made no progress within a time limit, or did not answer. */
    HANG(false),
    /** The driver violated the protocol; its messages are no longer trusted. */
    PROTOCOL(false),
    /** A Java driver threw an exception, or a driver reported the loss of its device. */
    EXCEPTION(false),
    /** Work stayed on the engine after requests to leave. */
    TIMEOUT(false),
    /** An administrator requested a reset. */
    RESET(false),
    /** An administrator requested a reload. */
    RELOAD(true),
    /** The settings or the tier changed. */
    SETTINGS(true),
    /** The driver's bundle was updated, restarted or replaced. */
    UPDATE(true),
    /** The service that runs drivers stopped or came back. */
    SERVICE(true);

    private final boolean orderly;

    Kind(boolean orderly) {
      this.orderly = orderly;
    }

    /**
     * Whether the old driver still works: its work is drained, and device memory is carried over.
     */
    public boolean orderly() {
      return orderly;
    }

    /** Lower case, as in tables and JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
