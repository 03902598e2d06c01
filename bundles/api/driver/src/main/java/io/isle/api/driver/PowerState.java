package io.isle.api.driver;

/**
 * Power and thermal state.
 *
 * @param level 0 active (D0), 1 low power (D1), 3 off
 * @param performanceLevel the set performance level
 * @param temperatureMilliCelsius temperature in thousandths of a degree Celsius
 * @param powerMilliwatts power in mW
 * @param powerLimitMilliwatts power limit in mW; 0 for no limit
 * @param clockMhz clock in MHz
 * @param throttled whether the clock is lowered
 */
public record PowerState(
    int level,
    PerformanceLevel performanceLevel,
    int temperatureMilliCelsius,
    int powerMilliwatts,
    int powerLimitMilliwatts,
    int clockMhz,
    boolean throttled) {}
