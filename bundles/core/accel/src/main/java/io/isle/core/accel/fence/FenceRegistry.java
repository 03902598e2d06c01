package io.isle.core.accel.fence;

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

  /** The administrator changed something; holds for waits from now on. */
  public synchronized void configure(FenceSettings now) {
    settings = now;
    devices.values().forEach(device -> device.domain(now.domain(device.id())));
  }

  public FenceSettings settings() {
    return settings;
  }
}
