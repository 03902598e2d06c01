package io.isle.api.device;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service that receives changes of the device tree, in order, on one thread of the tree.
 * Implementations must not block.
 */
@ConsumerType
@FunctionalInterface
public interface DeviceListener {
  /** Called for each change. */
  void onEvent(DeviceEvent event);
}
