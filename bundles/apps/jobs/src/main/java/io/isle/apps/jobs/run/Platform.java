package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceTree;
import io.isle.api.tenancy.Capabilities;
import java.nio.file.Path;

/**
 * The services that jobs use.
 *
 * @param folder where the service keeps its files
 * @param settledNs until this time of the monotonic clock the platform may still be opening its
 *     first devices, and a job that finds none waits
 */
public record Platform(
    Accelerators accelerators,
    Capabilities capabilities,
    DeviceTree tree,
    ConfigFiles files,
    AccelAdmin admin,
    Path folder,
    long settledNs) {}
