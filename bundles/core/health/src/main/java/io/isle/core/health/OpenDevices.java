package io.isle.core.health;

import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.DriverException;
import io.isle.api.health.HealthException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What every open device says. Thread-safe. */
final class OpenDevices {
  /** Of one device that recovers, or whose driver answers nonsense: no reason to hide others. */
  private static final Set<Integer> ITS_OWN =
      Set.of(Errno.ENODEV, Errno.EINTR, Errno.ESTALE, Errno.ETIMEDOUT, Errno.EPROTO);

  private static final System.Logger LOG = System.getLogger(OpenDevices.class.getName());

  private final DeviceSessions sessions;

  OpenDevices(DeviceSessions sessions) {
    this.sessions = sessions;
  }

  /**
   * A row a device, by name and number, but for those that cannot say it now.
   *
   * @throws HealthException what a driver refuses
   */
  <T> List<T> rows(Function<DeviceSession, T> row) {
    List<T> all = new ArrayList<>();
    for (DeviceSession session : sessions.list()) {
      try {
        all.add(row.apply(session));
      } catch (DriverException e) {
        if (!ITS_OWN.contains(e.code())) {
          throw new HealthException(e.code(), e.getMessage(), e);
        }
        LOG.log(System.Logger.Level.DEBUG, "left out: {0}", e.getMessage());
      }
    }
    return all;
  }
}
