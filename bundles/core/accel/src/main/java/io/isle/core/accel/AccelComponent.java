package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.ContextInfo;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DevicePort;
import io.isle.api.tenancy.Capabilities;
import io.isle.lib.agent.AgentHost;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Publishes the core of accelerators: the port for drivers and the administrator's view. */
@Component(
    service = {DevicePort.class, AccelAdmin.class, AccelComponent.class},
    configurationPid = "io.isle.accel")
public final class AccelComponent implements DevicePort, AccelAdmin {
  private final AccelCore core;
  private final AdminView admin;

  @Activate
  public AccelComponent(@Reference Capabilities capabilities, AccelSettings settings) {
    int processors = Runtime.getRuntime().availableProcessors();
    int spinners =
        settings.spinners() < 0 ? AgentHost.spinnersFor(processors) : settings.spinners();
    core = new AccelCore(AccelLimits.of(settings), spinners, capabilities, MonotonicClock.SYSTEM);
    admin = new AdminView(core);
  }

  @Deactivate
  void deactivate() {
    core.close();
  }

  AccelCore core() {
    return core;
  }

  @Override
  public Plug plug(String deviceId) {
    return core.plug(deviceId);
  }

  @Override
  public List<ContextInfo> contexts() {
    return admin.contexts();
  }

  @Override
  public List<MemoryInfo> memory() {
    return admin.memory();
  }

  @Override
  public List<UtilizationInfo> utilization() {
    return admin.utilization();
  }

  @Override
  public List<ComputeInfo> compute() {
    return admin.compute();
  }

  @Override
  public void injectFault(String device, String fault, long after, long count, long value) {
    admin.injectFault(device, fault, after, count, value);
  }
}
