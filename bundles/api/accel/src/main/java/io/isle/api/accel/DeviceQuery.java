package io.isle.api.accel;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import java.util.Optional;
import java.util.Set;

/**
 * Which device is wanted; an empty part matches all. A device that is asked for by id is found also
 * while it recovers and when all of its contexts are taken; any other must take a context now.
 *
 * @param kinds kinds of program sources that it must take
 * @param builtins built-in programs that it must have
 * @param minMemoryBytes free device memory that it must have, 0 or more (else EINVAL)
 */
public record DeviceQuery(
    Optional<String> id,
    Optional<DeviceClass> deviceClass,
    Set<ProgramKind> kinds,
    Set<String> builtins,
    long minMemoryBytes) {
  public static final DeviceQuery ANY =
      new DeviceQuery(Optional.empty(), Optional.empty(), Set.of(), Set.of(), 0);

  public DeviceQuery {
    kinds = Set.copyOf(kinds);
    builtins = Set.copyOf(builtins);
    if (minMemoryBytes < 0) {
      throw new AccelException(
          Errno.EINVAL, "minMemoryBytes: " + minMemoryBytes + " is less than 0");
    }
  }

  public static DeviceQuery id(String id) {
    return new DeviceQuery(Optional.of(id), Optional.empty(), Set.of(), Set.of(), 0);
  }

  /** Any device that takes sources of these kinds. */
  public static DeviceQuery taking(ProgramKind... kinds) {
    return new DeviceQuery(Optional.empty(), Optional.empty(), Set.of(kinds), Set.of(), 0);
  }

  public DeviceQuery withMemory(long bytes) {
    return new DeviceQuery(id, deviceClass, kinds, builtins, bytes);
  }
}
