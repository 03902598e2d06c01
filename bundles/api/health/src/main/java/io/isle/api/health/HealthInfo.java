package io.isle.api.health;

import java.util.Optional;

/**
 * Health of one device. Immutable.
 *
 * @param device id of the device
 * @param counters empty for a device without counters
 */
public record HealthInfo(String device, Optional<Counters> counters) {
  /**
   * Counters of one opening of a device. All except the error code only grow.
   *
   * @param eccCorrectable corrected errors in device memory
   * @param eccUncorrectable uncorrected errors in device memory
   * @param throttleCount number of times that heat lowered the clock
   * @param errorCode the device's newest error code; 0 without an error
   * @param pcieReplayCount packets that the link had to repeat
   */
  public record Counters(
      long eccCorrectable,
      long eccUncorrectable,
      int throttleCount,
      int errorCode,
      int pcieReplayCount) {}
}
