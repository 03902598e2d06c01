package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceSessionListener;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.Driver;
import io.isle.api.driver.Drivers;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.core.drivers.javacode.JavaHandle;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.recovery.RecoveryText;
import io.isle.core.drivers.versions.Admission;
import io.isle.core.drivers.versions.GoodLibraries;
import io.isle.core.drivers.versions.NativeVersions;
import io.isle.core.drivers.versions.ProbeCache;
import io.isle.lib.signing.TrustedKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires drivers, the registry of devices and the accelerator core together. */
@Component(
    configurationPid = DriversComponent.PID,
    service = {Drivers.class, RecoveryLog.class},
    immediate = true)
public final class DriversComponent implements Drivers, RecoveryLog {
  static final String PID = "io.isle.drivers";

  /** Public keys that drivers may be signed with. */
  private static final TrustedKeys KEYS =
      new TrustedKeys(Path.of(System.getProperty("karaf.etc", "etc"), "driver-keys"));

  private static final Logger LOG = LoggerFactory.getLogger(DriversComponent.class);

  private final BundleContext context;
  private final Path base = Path.of(System.getProperty("karaf.home", ""));
  private final AtomicReference<Admission> admission;
  private final NativeVersions.Store store;
  private final DriverManager manager;
  private final ServiceRegistration<DeviceSessions> sessions;
  // Guarded by this.
  private DriversSettings settings;
  private volatile NativeDriverTracker tracker;

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.OPTIONAL)
  private volatile Audit audit;

  @Activate
  public DriversComponent(
      BundleContext context, Map<String, Object> properties, @Reference DeviceRegistry registry) {
    this.context = context;
    this.settings = DriversSettings.initial(properties, DriversComponent::refused);
    this.admission = new AtomicReference<>(admission());
    this.store =
        new NativeVersions.Store(
            new GoodLibraries(context.getDataFile("drivers").toPath()),
            new ProbeCache(),
            admission,
            this::recordRefusal);
    this.manager =
        new DriverManager(registry, settings.tuning(), DriverManager.Delays.USUAL, this::record);
    this.tracker = track(settings.runtime(base));
    manager.whenChanged(this::keysNow, () -> tracker.recheck());
    this.sessions =
        context.registerService(DeviceSessions.class, manager.sessions(), new Hashtable<>());
  }

  private Admission admission() {
    return new Admission(settings.signaturesRequired(), KEYS, Clock.systemUTC());
  }

  /** Changes with the files, and daily, because keys come into force and expire. */
  private String keysNow() {
    Admission now = admission.get();
    return now.required() ? now.keys().fingerprint() + LocalDate.now(now.clock()) : "";
  }

  private NativeDriverTracker track(NativeRuntime runtime) {
    NativeDriverTracker made =
        new NativeDriverTracker(context, manager, runtime, store, caches(context));
    made.open();
    return made;
  }

  /** Where drivers keep what they build: outlives bundles, and instances that share it. */
  static Path caches(BundleContext context) {
    String shared = context.getProperty("isle.caches");
    if (shared != null) {
      return Path.of(shared);
    }
    String data = context.getProperty("karaf.data");
    return data == null ? context.getDataFile("caches").toPath() : Path.of(data, "caches");
  }

  /** Takes changes live; only native drivers are opened anew, when their surroundings changed. */
  @Modified
  synchronized void change(Map<String, Object> properties) {
    DriversSettings before = settings;
    List<String> refusals = new ArrayList<>();
    settings = before.change(properties, refusals::add);
    refusals.forEach(DriversComponent::refused);
    recordChange(settings.since(before), refusals);
    manager.tune(settings.tuning());
    admission.set(admission());
    NativeRuntime now = settings.runtime(base);
    if (!now.equals(before.runtime(base))) {
      tracker.close();
      tracker = track(now);
    } else if (settings.signaturesRequired() != before.signaturesRequired()) {
      tracker.recheck();
    }
  }

  private static void refused(String why) {
    LOG.warn("{}: {}", PID, why);
  }

  private void recordChange(Map<String, String> changes, List<String> refusals) {
    AuditEvent event = AuditEvent.of(Actor.PLATFORM, "drivers.configure").object(PID + ".cfg");
    if (!changes.isEmpty()) {
      record(event.detail(changes.toString()));
    }
    if (!refusals.isEmpty()) {
      record(event.failed(Errno.EINVAL, String.join("; ", refusals)));
    }
  }

  private void recordRefusal(String source, String why) {
    record(AuditEvent.of(Actor.PLATFORM, "driver.refuse").object(source).failed(Errno.EACCES, why));
  }

  private void record(Recovery recovery) {
    AuditEvent event = AuditEvent.of(Actor.PLATFORM, "device.recovery").device(recovery.device());
    String line = RecoveryText.line(recovery);
    record(
        recovery.outcome() == Recovery.Outcome.RECOVERED
            ? event.detail(line)
            : event.failed(Errno.ENODEV, line));
  }

  private void record(AuditEvent event) {
    Audit book = audit;
    if (book != null) {
      book.record(event);
    }
  }

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.OPTIONAL)
  void bindPort(DevicePort port) {
    manager.port(port);
  }

  void unbindPort(DevicePort port) {
    manager.port(null);
  }

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
  void bindDriver(Driver driver, ServiceReference<Driver> reference) {
    Bundle bundle = reference.getBundle();
    String source = bundle.getSymbolicName() + " " + bundle.getVersion();
    manager.add(driver, source, () -> JavaHandle.look(driver, source), () -> {});
  }

  void unbindDriver(Driver driver) {
    manager.remove(driver);
  }

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
  void bindParticipant(RecoveryParticipant participant) {
    manager.join(participant);
  }

  void unbindParticipant(RecoveryParticipant participant) {
    manager.leave(participant);
  }

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
  void bindListener(DeviceSessionListener listener) {
    manager.sessions().add(listener);
  }

  void unbindListener(DeviceSessionListener listener) {
    manager.sessions().remove(listener);
  }

  @Override
  public List<Recovery> of(String device) {
    return manager.book().of(device);
  }

  @Override
  public List<Recovery> all() {
    return manager.book().all();
  }

  @Override
  public Optional<Recovery> await(String device, long after, Duration limit)
      throws InterruptedException {
    return manager.book().await(device, after, limit);
  }

  @Override
  public List<DriverStatus> list() {
    return manager.list();
  }

  @Override
  public void settle() {
    manager.settle();
  }

  @Deactivate
  synchronized void stop() {
    manager.stopping();
    tracker.close();
    manager.close();
    sessions.unregister();
  }
}
