package io.isle.core.drivers.recovery;

import java.time.Duration;

/**
 * How drivers are supervised: the part of PID {@code io.isle.drivers} that is taken live.
 *
 * @param standby keep a warm standby of each host
 * @param drain how long orderly replacements and suspensions wait for work in flight
 * @param hang how long a host may leave requests lying
 * @param participant how long a subsystem that takes part in recoveries may take for a phase
 * @param supervision bounds of recoveries
 */
public record DriverTuning(
    boolean standby,
    Duration drain,
    Duration hang,
    Duration participant,
    Supervision.Limits supervision) {
  public static final DriverTuning DEFAULT =
      new DriverTuning(
          true,
          Duration.ofMillis(2000),
          Duration.ofMillis(1000),
          Duration.ofMillis(1000),
          new Supervision.Limits(
              5, Duration.ofMillis(50), Duration.ofMillis(5000), 3, Duration.ofHours(1)));
}
