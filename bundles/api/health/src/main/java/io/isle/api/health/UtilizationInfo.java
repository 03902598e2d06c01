package io.isle.api.health;

/**
 * Load of one device: the eight fields of AccelUtilization. Immutable.
 *
 * @param device id of the device
 * @param computePercent load of the compute units, 0 to 100
 * @param memoryBandwidthPercent load of the memory, 0 to 100
 * @param memoryUsedBytes device memory in use
 * @param memoryTotalBytes size of the device memory
 * @param activeContexts active contexts
 * @param temperatureMilliCelsius temperature in thousandths of a degree Celsius
 * @param powerMilliwatts power in mW
 * @param clockMhz clock in MHz
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
