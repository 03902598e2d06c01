package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DevicePort;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.RevocationListener;
import io.isle.core.accel.settings.AccelSettings;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.ffi.FutexVector;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the core of accelerators: the port for drivers, the administrator's view, pins of
 * memory. Hears of capabilities that are revoked.
 */
@Component(
    service = {
      DevicePort.class,
      AccelAdmin.class,
      MemoryPins.class,
      AccelComponent.class,
      RevocationListener.class
    },
    configurationPid = AccelSettings.PID)
public final class AccelComponent
    implements DevicePort, AccelAdmin, MemoryPins, RevocationListener {
  private static final Logger LOG = LoggerFactory.getLogger(AccelComponent.class);

  private final AccelCore core;
  private final AdminView admin;
  private final PinView pins;
  private AccelSettings settings;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public AccelComponent(
      @Reference Capabilities capabilities,
      @Reference AgentHost agents,
      Map<String, Object> properties) {
    settings = AccelSettings.DEFAULT.change(properties, AccelComponent::refused);
    core =
        new AccelCore(
            settings.limits(),
            agents,
            capabilities,
            MonotonicClock.SYSTEM,
            new AuditTrail(() -> this.audit, AccelException::new));
    core.fences().configure(settings.fences());
    core.schedule(settings.scheduling());
    admin = new AdminView(core);
    pins = new PinView(core);
    if (!FutexVector.isSupported()) {
      LOG.info(
          "futex_waitv is not available (Linux 5.16 or newer is needed, and some containers"
              + " forbid the call): agents poll the completions of driver hosts every 0.5 ms"
              + " while work is in flight");
    }
  }

  @Modified
  void modified(Map<String, Object> properties) {
    settings = settings.change(properties, AccelComponent::refused);
    core.configure(settings.limits());
    core.fences().configure(settings.fences());
    core.schedule(settings.scheduling());
  }

  private static void refused(String why) {
    LOG.warn("{}: {}", AccelSettings.PID, why);
  }

  @Deactivate
  void deactivate() {
    core.close();
  }

  AccelCore core() {
    return core;
  }

  @Override
  public void revoked(List<Capability> capabilities) {
    core.hostTimelines().revoked();
  }

  @Override
  public Attachment attach(String deviceId) {
    return core.attach(deviceId);
  }

  @Override
  public Pin pin(MemoryObject memory) {
    return pins.pin(memory);
  }

  @Override
  public Pin pin(Capability capability, Buffer buffer) {
    return pins.pin(capability, buffer);
  }

  @Override
  public Optional<MemoryObject> find(long memory) {
    return pins.find(memory);
  }

  @Override
  public List<ContextInfo> contexts() {
    return admin.contexts();
  }

  @Override
  public List<GroupUsage> groups() {
    return admin.groups();
  }

  @Override
  public List<WorkErrorInfo> workErrors() {
    return admin.workErrors();
  }

  @Override
  public List<MemoryInfo> memory() {
    return admin.memory();
  }

  @Override
  public List<ProgramInfo> programs() {
    return admin.programs();
  }

  @Override
  public List<FenceInfo> fences() {
    return admin.fences();
  }

  @Override
  public List<FenceDeviceInfo> fenceDevices() {
    return admin.fenceDevices();
  }

  @Override
  public List<ComputeInfo> compute() {
    return admin.compute();
  }

  @Override
  public JournalInfo journal(String device, Duration time, OutputStream out) throws IOException {
    return admin.journal(device, time, out);
  }
}
