package io.isle.core.accel.place;

import io.isle.core.accel.device.GroupDevices;
import io.isle.core.accel.device.Occupancy;

/**
 * What of a device is at its place.
 *
 * @param occupancy which opening of it is there
 * @param groups the processes of groups on it, where they have their own
 */
record Attachment(String deviceId, Occupancy occupancy, GroupDevices groups) {}
