package io.isle.core.devices;

import io.isle.api.driver.DeviceSeed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives probed devices their numbers: one that was seen before keeps its number, a new one gets the
 * first free one in the order of the probe. Files do not take numbers, so that a device has the
 * same id after a restart, with or without a file.
 */
final class SeedNumbers {
  private final Map<String, Map<String, Integer>> remembered = new HashMap<>();

  /** Device names of the seeds of a driver, in the order of the probe; a name twice counts once. */
  Map<DeviceName, DeviceSeed> assign(String driver, List<DeviceSeed> seeds) {
    Map<String, Integer> known = remembered.computeIfAbsent(driver, name -> new HashMap<>());
    Map<String, DeviceSeed> byName = new LinkedHashMap<>();
    seeds.forEach(seed -> byName.putIfAbsent(seed.name(), seed));
    known.keySet().retainAll(byName.keySet());
    Set<Integer> taken = new HashSet<>(known.values());
    Map<DeviceName, DeviceSeed> assigned = new LinkedHashMap<>();
    for (DeviceSeed seed : byName.values()) {
      int number = known.computeIfAbsent(seed.name(), name -> firstFree(taken));
      taken.add(number);
      assigned.put(new DeviceName(driver, number), seed);
    }
    return assigned;
  }

  private static int firstFree(Set<Integer> taken) {
    int number = 0;
    while (taken.contains(number)) {
      number++;
    }
    return number;
  }
}
