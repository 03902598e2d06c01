package io.isle.api.health;

/**
 * Power and thermal state of one device. Immutable.
 *
 * @param device id of the device
 * @param state d0_active, d1_low_power or d3_off
 * @param performanceLevel auto, low, balanced or high
 * @param temperatureMilliCelsius temperature in thousandths of a degree Celsius
 * @param powerMilliwatts power in mW
 * @param powerLimitMilliwatts power limit in mW; 0 for no limit
 * @param clockMhz clock in MHz
 * @param throttled whether the clock is lowered now
 */
public record PowerInfo(
    String device,
    String state,
    String performanceLevel,
    int temperatureMilliCelsius,
    int powerMilliwatts,
    int powerLimitMilliwatts,
    int clockMhz,
    boolean throttled) {}
