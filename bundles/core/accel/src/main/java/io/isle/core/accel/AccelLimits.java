package io.isle.core.accel;

import io.isle.api.driver.DevicePort;

/**
 * What the administrator allows.
 *
 * @param maxInFlight most submissions on one device at a time, 1 to 1024
 * @param controlTimeoutMs longest time of one control call of a driver
 * @param hangGraceMs longest time until work that was told to stop has stopped
 * @param detachGraceMs longest time that contexts wait for the owner of drivers to come back
 */
record AccelLimits(int maxInFlight, long controlTimeoutMs, long hangGraceMs, long detachGraceMs) {
  static final AccelLimits DEFAULT = new AccelLimits(64, 5000, 250, 10_000);

  static AccelLimits of(AccelSettings settings) {
    return new AccelLimits(
        Math.clamp(settings.max__in__flight(), 1, DevicePort.MAX_INFLIGHT),
        Math.clamp(settings.control__timeout__ms(), 100, 600_000),
        Math.clamp(settings.hang__grace__ms(), 1, 600_000),
        Math.clamp(settings.detach__grace__ms(), 0, 600_000));
  }
}
