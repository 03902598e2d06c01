package io.isle.core.drivers;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.device.RecoveryParticipant;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.Driver;
import io.isle.api.driver.Drivers;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.Sandbox;
import java.nio.file.Path;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Wires drivers, the registry of devices and the accelerator core together. */
@Component(
    configurationPid = "io.isle.drivers",
    service = {Drivers.class, RecoveryLog.class},
    immediate = true)
@Designate(ocd = DriversComponent.Settings.class)
public final class DriversComponent implements Drivers, RecoveryLog {
  /** Settings, PID {@code io.isle.drivers}. */
  @ObjectClassDefinition(name = "Isle drivers")
  public @interface Settings {
    @AttributeDefinition(
        description = "Folder of driver-host and libisle_shim.so; relative to the installation")
    String native__dir() default "lib/isle/bin";

    @AttributeDefinition(
        description = "Microseconds that a driver host spins for work before it sleeps, 0..10000")
    int spin__us() default 50;

    @AttributeDefinition(
        description = "Most private memory of a driver host in bytes; 0 for no limit")
    long host__memory__bytes() default 4L << 30;

    @AttributeDefinition(description = "Whether a debugger may attach to driver hosts")
    boolean host__debug() default false;
  }

  private final DriverManager manager;
  private final NativeDriverTracker tracker;

  @Activate
  public DriversComponent(
      BundleContext context, Settings settings, @Reference DeviceRegistry registry) {
    String base = System.getProperty("karaf.home", "");
    Path nativeDir = Path.of(base).resolve(settings.native__dir()).toAbsolutePath();
    int spin = Math.clamp(settings.spin__us(), 0, 10_000);
    Sandbox sandbox =
        new Sandbox(
            Sandbox.Profile.COMPUTE,
            Math.max(0, settings.host__memory__bytes()),
            settings.host__debug());
    Path unpacked = context.getDataFile("drivers").toPath();
    this.manager = new DriverManager(registry, DriverTuning.DEFAULT);
    this.tracker =
        new NativeDriverTracker(
            context, manager, new NativeRuntime(nativeDir, spin, sandbox), unpacked);
    tracker.open();
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
    manager.add(driver, source, () -> JavaHandle.look(driver, source));
  }

  void unbindDriver(Driver driver) {
    manager.remove(driver);
  }

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
  void bindParticipant(RecoveryParticipant participant) {
    manager.participants().add(participant);
  }

  void unbindParticipant(RecoveryParticipant participant) {
    manager.participants().remove(participant);
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
  public List<DriverStatus> list() {
    return manager.list();
  }

  @Override
  public void settle() {
    manager.settle();
  }

  @Deactivate
  void stop() {
    tracker.close();
    manager.close();
  }
}
