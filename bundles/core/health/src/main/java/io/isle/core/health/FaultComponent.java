package io.isle.core.health;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.FaultInjection;
import io.isle.api.health.FaultInjector;
import io.isle.api.health.HealthException;
import io.isle.api.observe.Audit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Publishes {@link FaultInjector}. */
@Component
public final class FaultComponent implements FaultInjector {
  private final AdminActions actions;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  volatile Audit audit;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  volatile DeviceTree tree;

  @Activate
  public FaultComponent(@Reference DeviceSessions sessions) {
    actions = new AdminActions(sessions, () -> tree, () -> audit);
  }

  @Override
  public void inject(String device, String fault, long after, long count, long value) {
    actions.run(
        "inject-fault",
        device,
        fault + " after " + after + ", " + count + " times, value " + value,
        session -> inject(session, fault, after, count, value));
  }

  private static void inject(
      DeviceSession session, String fault, long after, long count, long value) {
    FaultInjection.Fault planned = Words.parse("fault", FaultInjection.Fault.class, fault);
    if (after < 0 || count < 1 || value < 0) {
      throw new HealthException(
          Errno.EINVAL, "after and value must be at least 0, count must be at least 1");
    }
    if (!session.has(FaultInjection.class)) {
      throw new HealthException(
          Errno.ENOTSUP,
          "the settings of the device forbid faults; set fault_injection=true in"
              + " etc/io.isle.device-ID.cfg");
    }
    session.call(
        FaultInjection.class,
        faults -> {
          faults.inject(planned, after, count, value);
          return planned;
        });
  }
}
