package io.isle.api.driver;

/**
 * A device that a driver found or an administrator configured.
 *
 * @param name unique within the driver and stable across restarts; at most 63 characters
 * @param parent name of the parent seed; empty at the root
 * @param summary one line for output
 */
public record DeviceSeed(String name, String parent, String summary) {}
