package io.isle.core.accel;

import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DevicePort;
import io.isle.api.tenancy.Capabilities;
import io.isle.lib.agent.AgentHost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All devices' places. Thread-safe. */
final class AccelCore implements DevicePort, AutoCloseable {
  private final AccelLimits limits;
  private final Capabilities capabilities;
  private final MonotonicClock clock;
  private final AgentHost host;
  private final CoreIds ids = CoreIds.create();
  private final Map<String, DevicePlace> places = new ConcurrentHashMap<>();

  AccelCore(AccelLimits limits, int spinners, Capabilities capabilities, MonotonicClock clock) {
    this.limits = limits;
    this.capabilities = capabilities;
    this.clock = clock;
    this.host = new AgentHost(spinners);
  }

  @Override
  public synchronized Plug plug(String deviceId) {
    if (places.containsKey(deviceId)) {
      throw new IllegalStateException(deviceId + " is plugged in already");
    }
    DevicePlace place =
        new DevicePlace(
            deviceId, host, limits, capabilities, ids, clock, () -> places.remove(deviceId));
    places.put(deviceId, place);
    return place;
  }

  Optional<DevicePlace> place(String deviceId) {
    return Optional.ofNullable(places.get(deviceId));
  }

  /** Places by device id: name, then number. */
  List<DevicePlace> places() {
    List<DevicePlace> all = new ArrayList<>(places.values());
    all.sort(
        Comparator.comparing((DevicePlace p) -> p.deviceId().replaceAll("[0-9]+$", ""))
            .thenComparingInt(p -> p.deviceId().length())
            .thenComparing(DevicePlace::deviceId));
    return all;
  }

  @Override
  public void close() {
    places().forEach(DevicePlace::closeContexts);
    places().forEach(DevicePlace::close);
    host.close();
  }
}
