package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.GroupUsage;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.faces.shell.Services;
import java.util.List;

/**
 * What the platform counts at one time.
 *
 * @param atNs CLOCK_MONOTONIC
 * @param open devices that are open or recover
 * @param groups on devices; the root stands for all of a device
 */
record TopReading(
    long atNs,
    List<DeviceNode> devices,
    List<AcceleratorInfo> open,
    List<ContextInfo> contexts,
    List<GroupUsage> groups) {
  static TopReading of(Services services) {
    return new TopReading(
        System.nanoTime(),
        services.with(DeviceTree.class, DeviceTree::nodes),
        services.with(Accelerators.class, Accelerators::list),
        services.with(AccelAdmin.class, AccelAdmin::contexts),
        services.with(AccelAdmin.class, AccelAdmin::groups));
  }
}
