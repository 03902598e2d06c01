package io.isle.core.devices;

import io.isle.api.device.Isolation;
import java.util.Map;

/**
 * Checked settings of a device.
 *
 * @param settings every key of the driver's schema, normalised
 */
record Wanted(int tier, boolean enabled, Isolation isolation, Map<String, String> settings) {
  Wanted {
    settings = Map.copyOf(settings);
  }
}
