package io.isle.core.accel.group;

import io.isle.api.device.Priority;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A group as accelerators see it. Immutable.
 *
 * <p>Limits are those that the group itself sets: its ancestors' hold besides, for all below them
 * together. So a limit that is missing and one that is inherited are the same.
 *
 * @param parent empty for the root
 * @param devices those that it may use, its ancestors' lists considered; empty for all
 * @param memoryMaxBytes its own limit; {@link AccelGroupKeys#NO_LIMIT} without one
 * @param priority of contexts that ask for none, its own or inherited
 * @param guarantee its own by device; empty: it shares what its parent has; present without a
 *     device: it is guaranteed nothing of it
 * @param max its own limits by device
 * @param weight its own or inherited
 */
public record AccelGroup(
    String name,
    Optional<String> parent,
    Optional<SortedSet<String>> devices,
    long memoryMaxBytes,
    Priority priority,
    Optional<SortedMap<String, Bandwidth>> guarantee,
    SortedMap<String, Bandwidth> max,
    int weight) {
  /** Whether it may use a device. */
  public boolean allows(String device) {
    return devices.isEmpty() || devices.get().contains(device);
  }

  /** What it is guaranteed by itself of a device. */
  Share guaranteed(String device) {
    return guarantee.map(all -> all.get(device)).map(Bandwidth::share).orElse(Share.NONE);
  }
}
