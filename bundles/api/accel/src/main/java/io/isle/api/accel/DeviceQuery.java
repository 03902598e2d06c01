package io.isle.api.accel;

import io.isle.api.device.DeviceClass;
import java.util.Optional;

/**
 * Which device is wanted; an empty part matches all.
 *
 * @param builtin a built-in program that it must have
 * @param minMemoryBytes free device memory that it must have
 */
public record DeviceQuery(
    Optional<String> id,
    Optional<DeviceClass> deviceClass,
    Optional<String> builtin,
    long minMemoryBytes) {
  public static final DeviceQuery ANY =
      new DeviceQuery(Optional.empty(), Optional.empty(), Optional.empty(), 0);

  public static DeviceQuery id(String id) {
    return new DeviceQuery(Optional.of(id), Optional.empty(), Optional.empty(), 0);
  }
}
