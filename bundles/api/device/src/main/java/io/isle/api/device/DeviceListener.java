package io.isle.api.device;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service that hears of changes of the tree, in order, on one thread of the tree's. A
 * listener does not block.
 */
@ConsumerType
@FunctionalInterface
public interface DeviceListener {
  void onEvent(DeviceEvent event);
}
