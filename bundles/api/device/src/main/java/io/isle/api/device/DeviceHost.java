package io.isle.api.device;

/**
 * A process in which a device's driver runs.
 *
 * @param group whose contexts are in it; empty for those of all groups
 * @param pid its process id
 */
public record DeviceHost(String group, long pid) {}
