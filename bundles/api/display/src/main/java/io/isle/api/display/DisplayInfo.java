package io.isle.api.display;

import io.isle.api.device.DisplayConnector;
import io.isle.api.device.ScanoutStatus;
import java.util.Optional;

/**
 * A connector and what it sends.
 *
 * @param status empty where the driver does not tell
 */
public record DisplayInfo(
    String device, DisplayConnector connector, Optional<ScanoutStatus> status) {}
