package io.isle.spin.nic;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.ConfigFiles;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.net.port.FramePortFactory;
import io.isle.api.observe.Audit;
import io.isle.api.spin.NicListener;
import io.isle.api.tenancy.Capabilities;
import io.isle.lib.agent.AgentHost;
import io.isle.spin.nic.live.NicServices;
import io.isle.spin.nic.live.NicThread;
import io.isle.spin.nic.manage.EventPublisher;
import io.isle.spin.nic.manage.GroupBook;
import io.isle.spin.nic.manage.HandlerRegistry;
import io.isle.spin.nic.manage.SpinCore;
import io.isle.spin.nic.settings.ContextSettings;
import io.isle.spin.nic.settings.NicSettings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Brings settings, ports and recoveries to the network interfaces. */
@Component(
    immediate = true,
    service = {SpinComponent.class, ConfigurationListener.class, RecoveryParticipant.class})
public final class SpinComponent implements ConfigurationListener, RecoveryParticipant {
  private final Map<String, FramePortFactory> factories = new ConcurrentHashMap<>();
  private final EventPublisher events = new EventPublisher();
  private final HandlerRegistry handlers = new HandlerRegistry();
  private final GroupBook groups = new GroupBook();
  private final NicThread thread = new NicThread();
  private final SpinCore core;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public SpinComponent(
      @Reference ConfigFiles files,
      @Reference AgentHost host,
      @Reference Accelerators accelerators,
      @Reference DeviceSessions sessions,
      @Reference Capabilities capabilities) {
    NicServices services =
        new NicServices(
            thread,
            host,
            accelerators,
            sessions,
            scheme -> Optional.ofNullable(factories.get(scheme)),
            MonotonicClock.SYSTEM,
            events,
            groups::weight,
            groups::ended);
    core = new SpinCore(files, capabilities, services, handlers, groups);
    core.filesChanged();
  }

  @Deactivate
  void deactivate() {
    core.close();
    events.close();
  }

  SpinCore core() {
    return core;
  }

  /** The thread of all changes. */
  NicThread thread() {
    return thread;
  }

  HandlerRegistry handlers() {
    return handlers;
  }

  GroupBook groups() {
    return groups;
  }

  /** The audit log, or null. */
  Audit audit() {
    return audit;
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removePorts")
  void addPorts(FramePortFactory factory) {
    factories.put(factory.scheme(), factory);
  }

  void removePorts(FramePortFactory factory) {
    boolean ignored = factories.remove(factory.scheme(), factory);
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "removeListener")
  void addListener(NicListener listener) {
    events.add(listener);
  }

  void removeListener(NicListener listener) {
    events.remove(listener);
  }

  @Override
  public void configurationEvent(ConfigurationEvent event) {
    String factory = event.getFactoryPid();
    if (NicSettings.FACTORY_PID.equals(factory) || ContextSettings.FACTORY_PID.equals(factory)) {
      core.filesChanged();
    }
  }

  @Override
  public void freeze(Recovering device) {
    core.freeze(device.device());
  }

  @Override
  public void thaw(Recovering device, DeviceSession session) {
    core.again();
  }
}
