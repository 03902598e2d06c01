package io.isle.api.device;

import java.util.Locale;

/**
 * Why a device is being taken from its driver (accelerator framework, 42.3.2, 42.3.7).
 *
 * @param text for people: what was seen, such as the signal that ended the host
 * @param signal that ended the driver's process; 0 if none did
 */
public record RecoveryCause(Kind kind, String text, int signal) {
  private static final int SIGKILL = 9;

  /** No signal ended anything. */
  public RecoveryCause(Kind kind, String text) {
    this(kind, text, 0);
  }

  /** Whether the driver's process was ended from outside, whatever it did itself. */
  public boolean killed() {
    return signal == SIGKILL;
  }

  /** Kinds of causes; the orderly ones lose nothing but time. */
  public enum Kind {
    /** The driver's process ended. */
    CRASH(false),
    /** The driver made no progress within a bound, or did not answer. */
    HANG(false),
    /** The driver broke the protocol: what it says is not believed any more. */
    PROTOCOL(false),
    /** A Java driver threw, or a driver reported its own end. */
    EXCEPTION(false),
    /** Work stayed on the engine although it was told to leave. */
    TIMEOUT(false),
    /** An administrator asked for a reset. */
    RESET(false),
    /** An administrator asked for a reload. */
    RELOAD(true),
    /** New settings, the tier among them. */
    SETTINGS(true),
    /** The driver's bundle was updated, restarted or replaced. */
    UPDATE(true),
    /** The service that runs drivers stops or comes back. */
    SERVICE(true);

    private final boolean orderly;

    Kind(boolean orderly) {
      this.orderly = orderly;
    }

    /**
     * Whether the old driver still works: its work is drained and device memory is carried over.
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
