package io.isle.core.devices;

import java.util.Map;

/** Where the model reads what all devices' files say now. */
@FunctionalInterface
interface DeviceFiles {
  /** Keys and values of each device's file, without the container's own keys. */
  Map<DeviceName, Map<String, String>> read();
}
