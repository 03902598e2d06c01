package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceTree;
import io.isle.api.tenancy.Capabilities;

/** The services that jobs use; the last three for {@code setup} and {@code faults} only. */
public record Platform(
    Accelerators accelerators,
    Capabilities capabilities,
    DeviceTree tree,
    ConfigFiles files,
    AccelAdmin admin) {}
