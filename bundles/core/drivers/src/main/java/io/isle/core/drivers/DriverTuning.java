package io.isle.core.drivers;

import java.time.Duration;

/**
 * How drivers are supervised: the part of PID {@code io.isle.drivers} that is taken live.
 *
 * @param standby keep a warm standby of each host
 * @param drain how long orderly replacements and suspensions wait for work in flight
 * @param hang how long a host may leave requests lying
 * @param supervision bounds of recoveries
 */
record DriverTuning(
    boolean standby, Duration drain, Duration hang, Supervision.Limits supervision) {
  static final DriverTuning DEFAULT =
      new DriverTuning(
          true,
          Duration.ofMillis(2000),
          Duration.ofMillis(1000),
          new Supervision.Limits(
              5, Duration.ofMillis(50), Duration.ofMillis(5000), 3, Duration.ofHours(1)));
}
