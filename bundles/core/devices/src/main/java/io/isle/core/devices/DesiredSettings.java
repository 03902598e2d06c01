package io.isle.core.devices;

import io.isle.api.device.Isolation;
import java.util.Map;

/**
 * Checked settings of a device.
 *
 * @param settings every key of the driver's schema, normalised
 */
record DesiredSettings(
    int tier, boolean enabled, Isolation isolation, Map<String, String> settings) {
  DesiredSettings {
    settings = Map.copyOf(settings);
  }
}
