package io.isle.apps.chaos.platform;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.RecoveryLog;
import io.isle.api.display.Displays;
import io.isle.api.health.FaultInjector;
import io.isle.api.tenancy.Capabilities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The core of the node on which the bundle runs. Services are held while they are there: contexts
 * of a bundle end when it lets go of its accelerators.
 */
public final class TrackedCore implements Core, AutoCloseable {
  private static final List<Class<?>> TYPES =
      List.of(
          Accelerators.class,
          AccelAdmin.class,
          Capabilities.class,
          ConfigFiles.class,
          DeviceAdmin.class,
          DeviceTree.class,
          FaultInjector.class,
          Displays.class,
          RecoveryLog.class);

  private final Map<Class<?>, ServiceTracker<?, ?>> trackers = new LinkedHashMap<>();

  public TrackedCore(BundleContext bundle) {
    for (Class<?> type : TYPES) {
      ServiceTracker<?, ?> tracker = new ServiceTracker<>(bundle, type, null);
      trackers.put(type, tracker);
      tracker.open();
    }
  }

  @Override
  public <S> S get(Class<S> type) {
    Object service = trackers.get(type).getService();
    if (service == null) {
      throw new AwayException(type.getSimpleName() + " is not available");
    }
    return type.cast(service);
  }

  @Override
  public boolean complete() {
    return trackers.values().stream().allMatch(tracker -> tracker.getService() != null);
  }

  @Override
  public long changes() {
    return trackers.values().stream().mapToLong(ServiceTracker::getTrackingCount).sum();
  }

  @Override
  public void close() {
    trackers.values().forEach(ServiceTracker::close);
  }
}
