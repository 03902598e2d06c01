package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceTree;
import io.isle.api.tenancy.Capabilities;
import java.util.Optional;

/**
 * The services that jobs use. The last three are needed only by jobs with {@code setup} or {@code
 * faults}.
 */
public record Platform(
    Accelerators accelerators,
    Capabilities capabilities,
    Optional<DeviceTree> tree,
    Optional<ConfigFiles> files,
    Optional<AccelAdmin> admin) {}
