package io.isle.api.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which device is wanted; an empty part matches all. A device that is asked for by id is found also
 * while it recovers, when all of its contexts are taken, and where a group may not use it, which is
 * said when a context is opened; any other must take a context now.
 *
 * @param kinds kinds of program sources that it must take
 * @param builtins built-in programs that it must have
 * @param minMemoryBytes free device memory that it must have, 0 or more (else EINVAL)
 * @param groups groups of tenants that must all be allowed to use it; which these are is no secret,
 *     and to find a device gives no right to use it
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

  public static DeviceQuery id(String id) {
    return new DeviceQuery(Optional.of(id), Optional.empty(), Set.of(), Set.of(), 0, Set.of());
  }

  /** Any device that takes sources of these kinds. */
  public static DeviceQuery taking(ProgramKind... kinds) {
    return new DeviceQuery(
        Optional.empty(), Optional.empty(), Set.of(kinds), Set.of(), 0, Set.of());
  }

  public DeviceQuery withMemory(long bytes) {
    return new DeviceQuery(id, deviceClass, kinds, builtins, bytes, groups);
  }

  /** One that these groups of tenants may use, such as that of a capability. */
  public DeviceQuery withGroups(String... names) {
    return new DeviceQuery(
        id, deviceClass, kinds, builtins, minMemoryBytes, Set.copyOf(List.of(names)));
  }
}
