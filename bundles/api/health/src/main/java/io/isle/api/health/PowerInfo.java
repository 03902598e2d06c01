package io.isle.api.health;

/**
 * Power and thermal state of one device.
 *
 * @param device its id
 * @param state d0_active, d1_low_power or d3_off
 * @param performanceLevel auto, low, balanced or high
 * @param powerLimitMilliwatts 0 for none
 * @param throttled whether clocks are held down now
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
