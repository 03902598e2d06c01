package io.isle.api.device;

/** A change of the device tree. */
public sealed interface DeviceEvent {
  /** The device after the change; for {@link Removed}, the last snapshot before the removal. */
  DeviceNode node();

  /** A device appeared. */
  record Added(DeviceNode node) implements DeviceEvent {}

  /** State, properties or settings of a device changed. */
  record Changed(DeviceNode before, DeviceNode node) implements DeviceEvent {}

  /** A device was removed; {@code node} is its last snapshot. */
  record Removed(DeviceNode node) implements DeviceEvent {}
}
