package io.isle.api.health;

import java.util.Optional;

/**
 * Health of one device.
 *
 * @param device its id
 * @param counters empty where the device keeps none
 */
public record HealthInfo(String device, Optional<Counters> counters) {
  /**
   * Counters of one opening of a device. All but the error code only grow.
   *
   * @param eccCorrectable errors in device memory that were corrected
   * @param eccUncorrectable errors in device memory that were not
   * @param throttleCount times that clocks were held down for heat
   * @param errorCode the device's newest error code; 0 if none
   * @param pcieReplayCount packets that the link had to send again
   */
  public record Counters(
      long eccCorrectable,
      long eccUncorrectable,
      int throttleCount,
      int errorCode,
      int pcieReplayCount) {}
}
