package io.isle.core.accel.managed;

import io.isle.core.accel.device.CurrentOpening;
import io.isle.core.accel.device.GroupDevices;

/**
 * The openings of a managed device.
 *
 * @param currentOpening the opening of the device itself
 * @param groups the openings of processes that groups have of their own
 */
record DeviceOpenings(String deviceId, CurrentOpening currentOpening, GroupDevices groups) {}
