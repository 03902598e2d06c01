package io.isle.api.device;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service of a subsystem that takes part in the recoveries of devices. The owner of
 * drivers calls the phases in order, each for every participant before the next begins; the owner
 * of contexts always comes first within a phase. Calls of one device come one at a time, may block
 * shortly, and a participant that throws is reported and does not stop the recovery.
 */
@ConsumerType
public interface RecoveryParticipant {
  /**
   * A device in recovery.
   *
   * @param epoch the epoch that ended; in {@link #rebuild} and {@link #thaw} the new one
   */
  record Recovering(String device, RecoveryCause cause, int epoch) {}

  /** The device's users are interrupted; nothing new reaches the driver. */
  default void freeze(Recovering device) {}

  /** Work in flight has ended with an error. */
  default void fail(Recovering device) {}

  /**
   * Everything that the old driver could reach is taken from it: process, mappings, peer access.
   */
  default void revoke(Recovering device) {}

  /** The device itself is brought to a known state. */
  default void reset(Recovering device) {}

  /** The new driver is open; objects on the device are made anew. */
  default void rebuild(Recovering device) {}

  /** The device's users go on. */
  default void thaw(Recovering device) {}
}
