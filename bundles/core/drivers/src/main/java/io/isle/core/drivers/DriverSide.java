package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.DriverHandle.OpenRequest;
import io.isle.core.drivers.RecoverySequence.Surroundings;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a device from a version of its driver, from the standby where there is one, and gives it
 * back. In between it is watched. One thread at a time.
 */
final class DriverSide {
  private static final Logger LOG = LoggerFactory.getLogger(DriverSide.class);

  private final String device;
  private final Openings openings;
  private final StandbyKeeper standby;
  private final Surroundings around;

  DriverSide(String device, Openings openings, StandbyKeeper standby, Surroundings around) {
    this.device = device;
    this.openings = openings;
    this.standby = standby;
    this.around = around;
  }

  /**
   * Opens the device.
   *
   * @param opening its number
   * @throws RuntimeException when the driver or the device failed; then nothing of it is left
   */
  OpenedDevice open(
      RecoveryRun run, DriverHandle driver, DeviceSpec spec, DevicePort.Plug plug, int opening) {
    Optional<StandbyKeeper.Taken> taken = standby.take(driver, spec.tier());
    run.attempt(taken.map(StandbyKeeper.Taken::warm).orElse(false));
    OpenedDevice now =
        driver.open(
            new OpenRequest(
                spec,
                opening,
                plug,
                cause -> openings.lost(opening, cause),
                taken.map(StandbyKeeper.Taken::standby)));
    around.watch().add(now);
    try {
      if (!run.isFirst() && !run.cause().kind().orderly()) {
        reset(now.device());
      }
      openings.check();
      return now;
    } catch (RuntimeException | Error e) {
      end(now, false);
      throw e;
    }
  }

  /** What the last driver left in the device is gone afterwards. */
  private static void reset(AccelDevice device) {
    try {
      device.resetDevice();
    } catch (DriverException e) {
      if (e.code() != Errno.ENOTSUP) {
        throw e;
      }
    }
  }

  /** As {@link OpenedDevice#end}; what it shared with the core is unmapped soon. */
  void end(OpenedDevice old, boolean orderly) {
    around.watch().remove(old);
    try {
      old.end(orderly);
    } catch (IsleException e) {
      if (e.code() != Errno.ENODEV) {
        LOG.warn("{}: closing: {}", device, e.getMessage());
      }
    }
    // unmapping waits for whoever still reads; nobody has to wait for that
    if (!around.background().execute(old::release)) {
      old.release();
    }
  }
}
