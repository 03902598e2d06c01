package io.isle.api.device;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The devices of this node. Results are snapshots. Thread-safe. */
@ProviderType
public interface DeviceTree {
  /** All devices, by driver name, then number. */
  List<DeviceNode> nodes();

  /** The device with this id, if any. */
  Optional<DeviceNode> find(String id);

  /** Settings in force of a device, defaults included; an empty map for an unknown id. */
  Map<String, String> settings(String id);
}
