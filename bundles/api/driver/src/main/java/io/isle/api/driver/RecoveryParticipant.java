package io.isle.api.driver;

import io.isle.api.device.RecoveryCause;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service of a subsystem with objects on devices, which takes part when a device is
 * opened, recovered or taken from its driver. {@code core/drivers} calls the phases in the order of
 * this interface, each for every participant before the next phase; {@code core/accel} always comes
 * first within a phase. Calls about one device come one at a time; calls about several devices may
 * run in parallel. Each call has the time limit {@code participant_ms} of the drivers' settings. A
 * participant that takes longer is interrupted, reported and skipped: it is called about the device
 * again only after the return of that call, from {@link #reset} of a later recovery on. An
 * exception is reported. Neither stops the recovery. A phase that a participant does not override
 * costs the recovery nothing.
 *
 * <p>A first opening has the phases from {@link #reset} on, and so has an attempt after a failed
 * attempt. A device that is closed for good has the phases up to {@link #revoke}. The recovery of
 * the process of one group has all phases except {@link #drain}. A participant that is registered
 * while devices are open is called with {@link #open}, {@link #rebuild} and {@link #thaw} of each
 * device, as for a first opening. After its unregistration, a participant is not called again.
 */
@ConsumerType
public interface RecoveryParticipant {
  /**
   * A device in recovery.
   *
   * @param device id of the device
   * @param group group of the replaced process, while the device stays open; empty for the whole
   *     device
   * @param cause cause of the recovery
   * @param epoch the ended epoch; from {@link #open} on the new epoch
   * @param first whether the device was not open before, or was closed for good
   */
  record Recovering(
      String device, Optional<String> group, RecoveryCause cause, int epoch, boolean first) {}

  /** Orderly causes only: running work has ended, and calls of the driver are still possible. */
  default void drain(Recovering device, DeviceSession session) {}

  /** Contexts of the device are interrupted; no new work reaches the driver. */
  default void freeze(Recovering device) {}

  /** Work in flight has ended with an error. */
  default void fail(Recovering device) {}

  /** The old driver loses all access: process, mappings, peer access. */
  default void revoke(Recovering device) {}

  /**
   * The participant brings its own state into a known state, before the next driver opens the
   * device.
   */
  default void reset(Recovering device) {}

  /**
   * The next driver has opened the device. The device is reset, unless the cause was orderly or
   * only the process of a group is replaced.
   */
  default void open(Recovering device, DeviceSession session) {}

  /** Contexts, programs and memory exist again; the participant makes its objects again. */
  default void rebuild(Recovering device, DeviceSession session) {}

  /** Contexts of the device continue. */
  default void thaw(Recovering device, DeviceSession session) {}

  /**
   * The attempt that began with {@link #reset} has failed, and its objects are lost with its
   * driver. Another attempt may follow.
   */
  default void takenBack(Recovering device) {}
}
