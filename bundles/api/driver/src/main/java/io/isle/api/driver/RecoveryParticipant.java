package io.isle.api.driver;

import io.isle.api.device.RecoveryCause;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service of a subsystem that has something on devices: takes part when a device is
 * opened, recovered or taken from its driver. The owner of drivers calls the phases in the order of
 * this interface, each for every participant before the next begins; the owner of contexts always
 * comes first within a phase. Calls about one device come one at a time, about several devices
 * beside each other, each within {@code participant_ms} of the settings of drivers. A participant
 * that takes longer is interrupted, reported and overtaken: it is not called about the device again
 * until that call has returned, and then from {@link #reset} of a later recovery on. One that
 * throws is reported. Neither stops the recovery.
 *
 * <p>A first opening has the phases from {@link #reset} on; so has an attempt that follows a failed
 * one. A device that is closed for good has those to {@link #revoke}. The recovery of the process
 * of one group has all but {@link #drain}. A participant that comes while devices are open is told
 * {@link #open}, {@link #rebuild} and {@link #thaw} of each, as of a first opening. Once it is
 * unregistered it is not called any more.
 */
@ConsumerType
public interface RecoveryParticipant {
  /**
   * A device in recovery.
   *
   * @param group the group whose process alone is replaced, while the device stays open; empty for
   *     the whole device
   * @param epoch the epoch that ended; from {@link #open} on the new one
   * @param first whether nothing was open before, or it was closed for good
   */
  record Recovering(
      String device, Optional<String> group, RecoveryCause cause, int epoch, boolean first) {}

  /** Orderly causes only: running work has ended, and the driver can still be asked. */
  default void drain(Recovering device, DeviceSession session) {}

  /** The device's users are interrupted; nothing new reaches the driver. */
  default void freeze(Recovering device) {}

  /** Work in flight has ended with an error. */
  default void fail(Recovering device) {}

  /**
   * Everything that the old driver could reach is taken from it: process, mappings, peer access.
   */
  default void revoke(Recovering device) {}

  /** The participant's own side is brought to a known state, before the next driver opens. */
  default void reset(Recovering device) {}

  /**
   * The next driver is open, and its device reset unless the cause was orderly or it is the process
   * of a group.
   */
  default void open(Recovering device, DeviceSession session) {}

  /** Contexts, programs and memory are there again; the participant's objects are made anew. */
  default void rebuild(Recovering device, DeviceSession session) {}

  /** The device's users go on. */
  default void thaw(Recovering device, DeviceSession session) {}

  /**
   * The attempt that had begun with {@link #reset} has failed: what was made in it is gone with its
   * driver. Another attempt may follow, or none.
   */
  default void takenBack(Recovering device) {}
}
