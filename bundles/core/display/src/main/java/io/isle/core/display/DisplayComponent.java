package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Ids;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceListener;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.DisplayMode;
import io.isle.api.display.Display;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.DisplayInfo;
import io.isle.api.display.Displays;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessionListener;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.core.display.state.Lineage;
import io.isle.core.display.state.Snapshot;
import io.isle.core.display.state.SnapshotFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the screens of all devices: takes part in recoveries, and keeps what is set and shown
 * in a file while the bundle is stopped.
 */
@Component(
    service = {
      Displays.class,
      DisplayAdmin.class,
      RecoveryParticipant.class,
      DeviceSessionListener.class,
      DeviceListener.class
    },
    immediate = true)
public final class DisplayComponent
    implements Displays, DisplayAdmin, RecoveryParticipant, DeviceSessionListener, DeviceListener {
  private static final Logger LOG = LoggerFactory.getLogger(DisplayComponent.class);

  private final BundleContext context;
  private final SnapshotFile file;
  private final PinnedMemory memory = new PinnedMemory();
  private final DisplayCore core;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  volatile DeviceTree tree;

  @Activate
  public DisplayComponent(BundleContext context, @Reference Capabilities capabilities) {
    this.context = context;
    file = new SnapshotFile(context.getDataFile("screens").toPath());
    core =
        new DisplayCore(
            capabilities,
            new AuditTrail(() -> this.audit, AccelException::new),
            memory,
            () -> this.tree);
  }

  /** With the tree that there is: a device that went while the bundle was stopped is forgotten. */
  @Activate
  void restore() {
    Optional<Snapshot> before = Optional.empty();
    try {
      before = file.take(DisplayCore.FRAMEBUFFERS).flatMap(all -> all.in(lineage()));
    } catch (IOException e) {
      LOG.warn(
          "the pictures of screens from before the stop of the bundle cannot be read;"
              + " screens stay black",
          e);
    }
    if (before.isPresent()) {
      core.restore(before.get());
    } else {
      core.begin(ThreadLocalRandom.current().nextInt(Ids.MAX_GENERATION));
    }
  }

  @Deactivate
  void deactivate() {
    try {
      file.put(core.close(lineage()));
    } catch (IOException e) {
      LOG.warn(
          "the pictures of screens cannot be saved; screens stay black after the restart of"
              + " the bundle",
          e);
    }
  }

  private Lineage lineage() {
    return new Lineage(
        context.getProperty(Constants.FRAMEWORK_UUID),
        number(MemoryPins.class),
        number(DeviceSessions.class),
        number(DeviceTree.class));
  }

  private long number(Class<?> type) {
    ServiceReference<?> service = context.getServiceReference(type);
    return service == null ? 0 : (Long) service.getProperty(Constants.SERVICE_ID);
  }

  @Reference(
      cardinality = ReferenceCardinality.OPTIONAL,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "unbindPins")
  void bindPins(MemoryPins pins, Map<String, Object> properties) {
    memory.bind(pins, (Long) properties.get(Constants.SERVICE_ID));
  }

  void unbindPins(MemoryPins pins) {
    memory.unbind(pins);
  }

  @Override
  public Display of(String device, Capability capability) {
    return core.of(device, capability);
  }

  @Override
  public List<DisplayInfo> displays() {
    return core.displays();
  }

  @Override
  public List<DisplayMode> modes(String device, int connector) {
    return core.modes(device, connector);
  }

  @Override
  public void freeze(Recovering device) {
    end(device);
  }

  @Override
  public void rebuild(Recovering device, DeviceSession session) {
    if (device.group().isEmpty()) {
      core.opening(device.device(), setup -> setup.rebuild(session));
    }
  }

  @Override
  public void thaw(Recovering device, DeviceSession session) {
    if (device.group().isEmpty()) {
      core.opening(device.device(), setup -> setup.use(session));
    }
  }

  @Override
  public void takenBack(Recovering device) {
    end(device);
  }

  /** Screens have nothing in the processes of groups. */
  private void end(Recovering device) {
    if (device.group().isEmpty()) {
      core.end(device.device());
    }
  }

  /** One that came when the phases of a recovery did not reach this participant. */
  @Override
  public void opened(DeviceSession session) {
    if (session.group().isEmpty()) {
      core.opening(session.id(), setup -> setup.use(session));
    }
  }

  @Override
  public void replaced(DeviceSession before, DeviceSession now) {
    opened(now);
  }

  @Override
  public void closed(DeviceSession session) {
    core.forgetGone(session.id());
  }

  @Override
  public void onEvent(DeviceEvent event) {
    if (event instanceof DeviceEvent.Removed removed) {
      core.forgetGone(removed.node().id());
    }
  }
}
