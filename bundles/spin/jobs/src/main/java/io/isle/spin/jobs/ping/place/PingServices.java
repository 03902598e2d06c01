package io.isle.spin.jobs.ping.place;

import io.isle.api.net.Labs;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.Nics;
import java.nio.file.Path;

/**
 * What steps use.
 *
 * @param folder for sources of handlers
 */
public record PingServices(
    Labs labs, NicAdmin admin, Nics nics, HandlerBuilds builds, Path folder) {}
