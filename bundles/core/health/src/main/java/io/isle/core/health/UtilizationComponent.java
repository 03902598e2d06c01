package io.isle.core.health;

import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.Utilization;
import io.isle.api.driver.Vitals;
import io.isle.api.health.DeviceUtilization;
import io.isle.api.health.UtilizationInfo;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Publishes {@link DeviceUtilization}. */
@Component
public final class UtilizationComponent implements DeviceUtilization {
  private final OpenDevices devices;

  @Activate
  public UtilizationComponent(@Reference DeviceSessions sessions) {
    devices = new OpenDevices(sessions);
  }

  @Override
  public List<UtilizationInfo> list() {
    return devices.rows(
        session -> row(session.id(), session.call(Vitals.class, Vitals::utilization)));
  }

  private static UtilizationInfo row(String device, Utilization use) {
    return new UtilizationInfo(
        device,
        use.computePercent(),
        use.memoryBandwidthPercent(),
        use.memoryUsedBytes(),
        use.memoryTotalBytes(),
        use.activeContexts(),
        use.temperatureMilliCelsius(),
        use.powerMilliwatts(),
        use.clockMhz());
  }
}
