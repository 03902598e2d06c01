package io.isle.api.health;

/**
 * The eight fields of AccelUtilization of one device.
 *
 * @param device its id
 * @param computePercent 0 to 100
 * @param memoryBandwidthPercent 0 to 100
 */
public record UtilizationInfo(
    String device,
    int computePercent,
    int memoryBandwidthPercent,
    long memoryUsedBytes,
    long memoryTotalBytes,
    int activeContexts,
    int temperatureMilliCelsius,
    int powerMilliwatts,
    int clockMhz) {}
