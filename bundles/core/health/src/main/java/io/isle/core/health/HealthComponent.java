package io.isle.core.health;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.Health;
import io.isle.api.health.DeviceHealth;
import io.isle.api.health.HealthInfo;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Publishes {@link DeviceHealth}. */
@Component
public final class HealthComponent implements DeviceHealth {
  private final OpenDevices devices;

  @Activate
  public HealthComponent(@Reference DeviceSessions sessions) {
    devices = new OpenDevices(sessions);
  }

  @Override
  public List<HealthInfo> list() {
    return devices.rows(HealthComponent::row);
  }

  private static HealthInfo row(DeviceSession session) {
    Optional<HealthInfo.Counters> counters =
        session.has(Health.class)
            ? Optional.of(counters(session.call(Health.class, Health::read)))
            : Optional.empty();
    return new HealthInfo(session.id(), counters);
  }

  private static HealthInfo.Counters counters(Health.Reading read) {
    return new HealthInfo.Counters(
        read.eccCorrectable(),
        read.eccUncorrectable(),
        read.throttleCount(),
        read.errorCode(),
        read.pcieReplayCount());
  }
}
