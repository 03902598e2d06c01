package io.isle.api.device;

/**
 * A process with a device's driver.
 *
 * @param group group of the contexts in the process; empty if the process serves all groups
 * @param pid process id
 */
public record DeviceHost(String group, long pid) {}
