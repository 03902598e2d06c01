package io.isle.apps.chaos;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.RecoveryLog;
import io.isle.api.tenancy.Capabilities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The services of the core as they come and go. They are held while they are there: contexts of a
 * bundle end when it lets go of its accelerators. Thread-safe.
 */
public final class Core implements AutoCloseable {
  private static final List<Class<?>> TYPES =
      List.of(
          Accelerators.class,
          AccelAdmin.class,
          Capabilities.class,
          ConfigFiles.class,
          DeviceAdmin.class,
          DeviceTree.class,
          RecoveryLog.class);

  private final Map<Class<?>, ServiceTracker<?, ?>> trackers = new LinkedHashMap<>();

  public Core(BundleContext bundle) {
    for (Class<?> type : TYPES) {
      ServiceTracker<?, ?> tracker = new ServiceTracker<>(bundle, type, null);
      trackers.put(type, tracker);
      tracker.open();
    }
  }

  /**
   * The service.
   *
   * @throws AwayException while it is not there
   */
  public <S> S get(Class<S> type) {
    Object service = trackers.get(type).getService();
    if (service == null) {
      throw new AwayException(type.getSimpleName() + " is away");
    }
    return type.cast(service);
  }

  /** Whether all of them are there. */
  public boolean complete() {
    return trackers.values().stream().allMatch(tracker -> tracker.getService() != null);
  }

  @Override
  public void close() {
    trackers.values().forEach(ServiceTracker::close);
  }

  /** A bundle of the core is stopped; it will be back. */
  public static final class AwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AwayException(String message) {
      super(message, null, false, false);
    }
  }
}
