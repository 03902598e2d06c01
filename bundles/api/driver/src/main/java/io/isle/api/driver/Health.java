package io.isle.api.driver;

/** Extension: what fault management watches (accelerator framework, 42.3.4). Control lane. */
public interface Health {
  /** Reads sensors and counters. Counters only grow while the device is open. */
  Reading read();

  /**
   * The fields of AccelHealthData.
   *
   * @param eccCorrectable errors in device memory that were corrected
   * @param eccUncorrectable errors in device memory that were not
   * @param throttleCount times that clocks were held down for heat
   * @param errorCode the device's newest error code (XID or its like); 0 if none
   * @param pcieReplayCount packets that the link had to send again
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
