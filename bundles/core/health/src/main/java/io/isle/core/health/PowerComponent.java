package io.isle.core.health;

import io.isle.api.device.DeviceTree;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Vitals;
import io.isle.api.health.DevicePower;
import io.isle.api.health.PowerInfo;
import io.isle.api.observe.Audit;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Publishes {@link DevicePower}. */
@Component
public final class PowerComponent implements DevicePower {
  private final OpenDevices devices;
  private final AdminActions actions;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  volatile Audit audit;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  volatile DeviceTree tree;

  @Activate
  public PowerComponent(@Reference DeviceSessions sessions) {
    devices = new OpenDevices(sessions);
    actions = new AdminActions(sessions, () -> tree, () -> audit);
  }

  @Override
  public List<PowerInfo> list() {
    return devices.rows(
        session -> row(session.id(), session.call(Vitals.class, vitals -> vitals.power())));
  }

  private static PowerInfo row(String device, PowerState power) {
    return new PowerInfo(
        device,
        PowerControl.State.of(power.level()).map(Words::text).orElse("level " + power.level()),
        Words.text(power.performanceLevel()),
        power.temperatureMilliCelsius(),
        power.powerMilliwatts(),
        power.powerLimitMilliwatts(),
        power.clockMhz(),
        power.throttled());
  }

  @Override
  public void setPerformanceLevel(String device, String level) {
    actions.run(
        "performance-level",
        device,
        level,
        session -> {
          PerformanceLevel wanted = Words.parse("level", PerformanceLevel.class, level);
          session.call(
              Vitals.class,
              vitals -> {
                vitals.setPerformanceLevel(wanted);
                return wanted;
              });
        });
  }
}
