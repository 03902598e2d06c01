package io.isle.core.drivers.groups;

import io.isle.api.driver.DeviceInfo;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.session.DeviceLane;

/**
 * The device's own process.
 *
 * @param epoch number of the device's opening
 * @param info what it says of the device
 */
public record OwnHost(
    OpenedDevice opened, OwnCompletions completions, DeviceLane lane, int epoch, DeviceInfo info) {}
