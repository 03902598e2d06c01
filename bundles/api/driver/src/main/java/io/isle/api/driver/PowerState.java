package io.isle.api.driver;

/**
 * Power and thermal state.
 *
 * @param level 0 active (D0), 1 low power (D1), 3 off
 * @param powerLimitMilliwatts 0 for none
 * @param throttled clocks are held down
 */
public record PowerState(
    int level,
    PerformanceLevel performanceLevel,
    int temperatureMilliCelsius,
    int powerMilliwatts,
    int powerLimitMilliwatts,
    int clockMhz,
    boolean throttled) {}
