package io.isle.api.device;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The devices of this node. Thread-safe; snapshots. */
@ProviderType
public interface DeviceTree {
  /** All devices, by driver name, then number. */
  List<DeviceNode> nodes();

  Optional<DeviceNode> find(String id);

  /** Settings in force of a device, defaults included; empty map for an unknown id. */
  Map<String, String> settings(String id);
}
