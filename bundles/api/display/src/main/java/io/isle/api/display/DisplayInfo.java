package io.isle.api.display;

import io.isle.api.device.DisplayConnector;
import io.isle.api.device.ScanoutStatus;
import java.util.Optional;

/**
 * A connector and its output. Immutable.
 *
 * @param device id of the device
 * @param connector the connector
 * @param status output of the connector; empty if the driver has no such reports
 */
public record DisplayInfo(
    String device, DisplayConnector connector, Optional<ScanoutStatus> status) {}
