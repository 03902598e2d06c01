package io.isle.core.accel.managed;

import io.isle.core.accel.device.GroupDevices;
import io.isle.core.accel.device.Occupancy;

/**
 * The openings of a managed device.
 *
 * @param occupancy the opening of the device itself
 * @param groups the openings of processes that groups have of their own
 */
record DeviceOpenings(String deviceId, Occupancy occupancy, GroupDevices groups) {}
