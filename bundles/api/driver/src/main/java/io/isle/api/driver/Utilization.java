package io.isle.api.driver;

/** Utilisation of a device: the eight fields of AccelUtilization (42.2.3). */
public record Utilization(
    int computePercent,
    int memoryBandwidthPercent,
    long memoryUsedBytes,
    long memoryTotalBytes,
    int activeContexts,
    int temperatureMilliCelsius,
    int powerMilliwatts,
    int clockMhz) {}
