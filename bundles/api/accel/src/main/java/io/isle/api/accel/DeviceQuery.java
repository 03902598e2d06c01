package io.isle.api.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The required properties of a device; an empty field matches all devices, but empty kinds do not
 * match a device that takes nothing but {@link ProgramKind#HANDLERS}, which runs no submissions. A
 * query by id also finds a device that recovers, has no free context, or is forbidden for a group;
 * opening a context then reports the problem. Any other query finds only devices that accept a
 * context now. Immutable.
 *
 * @param id id of the device
 * @param deviceClass class of the device
 * @param kinds kinds of program sources that the device must support
 * @param builtins built-in programs that the device must have
 * @param minMemoryBytes required free device memory, 0 or more (else EINVAL)
 * @param groups groups of tenants that must all be allowed to use the device. A query reveals these
 *     permissions, but gives no right to use the device
 */
public record DeviceQuery(
    Optional<String> id,
    Optional<DeviceClass> deviceClass,
    Set<ProgramKind> kinds,
    Set<String> builtins,
    long minMemoryBytes,
    Set<String> groups) {
  public static final DeviceQuery ANY =
      new DeviceQuery(Optional.empty(), Optional.empty(), Set.of(), Set.of(), 0, Set.of());

  public DeviceQuery {
    kinds = Set.copyOf(kinds);
    builtins = Set.copyOf(builtins);
    groups = Set.copyOf(groups);
    if (minMemoryBytes < 0) {
      throw new AccelException(
          Errno.EINVAL, "minMemoryBytes: " + minMemoryBytes + " is less than 0");
    }
  }

  /** The device with this id. */
  public static DeviceQuery id(String id) {
    return new DeviceQuery(Optional.of(id), Optional.empty(), Set.of(), Set.of(), 0, Set.of());
  }

  /** Any device that supports sources of these kinds. */
  public static DeviceQuery taking(ProgramKind... kinds) {
    return new DeviceQuery(
        Optional.empty(), Optional.empty(), Set.of(kinds), Set.of(), 0, Set.of());
  }

  /** A copy that requires free device memory in bytes. */
  public DeviceQuery withMemory(long bytes) {
    return new DeviceQuery(id, deviceClass, kinds, builtins, bytes, groups);
  }

  /**
   * A copy that requires a device for these groups of tenants, such as the group of a capability.
   */
  public DeviceQuery withGroups(String... names) {
    return new DeviceQuery(
        id, deviceClass, kinds, builtins, minMemoryBytes, Set.copyOf(List.of(names)));
  }
}
