package io.isle.core.accel.fence;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * AccelFenceRegistry (42.2.3) of the node: its timelines by id, and its devices by domain. Devices
 * of one domain can wait for each other; those of different ones cannot. Thread-safe.
 */
public final class FenceRegistry {
  private final FenceTable timelines = new FenceTable();
  private final Map<String, FenceDevice> devices = new TreeMap<>();
  private volatile FenceSettings settings = FenceSettings.DEFAULT;

  public FenceTable timelines() {
    return timelines;
  }

  /** The part of a device, new or as it was before. */
  public synchronized FenceDevice device(String id) {
    return devices.computeIfAbsent(id, d -> new FenceDevice(d, settings.domain(d)));
  }

  /** A device is gone for good. */
  public synchronized void forget(FenceDevice device) {
    boolean ignored = devices.remove(device.id(), device);
  }

  /** Devices by domain. */
  public synchronized Map<Integer, List<String>> domains() {
    Map<Integer, List<String>> all = new TreeMap<>();
    for (FenceDevice device : devices.values()) {
      all.merge(
          device.domain(),
          List.of(device.id()),
          (a, b) -> java.util.stream.Stream.of(a, b).flatMap(Collection::stream).toList());
    }
    return all;
  }

  /** The administrator changed something; holds for waits from now on. */
  public synchronized void configure(FenceSettings now) {
    settings = now;
    devices.values().forEach(device -> device.domain(now.domain(device.id())));
  }

  public FenceSettings settings() {
    return settings;
  }
}
