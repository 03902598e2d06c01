package io.isle.api.driver;

/**
 * Extension: sensors and counters for fault management (accelerator framework, 42.3.4). Control
 * lane.
 */
public interface Health {
  /** Reads sensors and counters. Counters only grow while the device is open. */
  Reading read();

  /**
   * The fields of AccelHealthData.
   *
   * @param temperatureMilliCelsius temperature in thousandths of a degree Celsius
   * @param powerMilliwatts power in mW
   * @param eccCorrectable corrected errors in device memory
   * @param eccUncorrectable uncorrected errors in device memory
   * @param throttleCount number of times that heat lowered the clock
   * @param errorCode the device's newest error code (XID or similar); 0 without an error
   * @param pcieReplayCount packets that the link had to repeat
   */
  record Reading(
      int temperatureMilliCelsius,
      int powerMilliwatts,
      long eccCorrectable,
      long eccUncorrectable,
      int throttleCount,
      int errorCode,
      int pcieReplayCount) {}
}
