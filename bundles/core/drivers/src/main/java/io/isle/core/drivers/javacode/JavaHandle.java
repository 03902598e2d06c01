package io.isle.core.drivers.javacode;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Display;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Health;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Scanout;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.LastError;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.threads.BoundedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver that is a Java service. What it throws by mistake becomes a refusal.
 *
 * @param bound how long opening and closing a device may take
 */
public record JavaHandle(
    Driver driver, DriverInfo info, List<DeviceSeed> seeds, String source, Duration bound)
    implements DriverHandle {
  private static final Logger LOG = LoggerFactory.getLogger(JavaHandle.class);

  /** All that a Java driver's device may have. */
  private static final List<Class<?>> EXTENSIONS =
      List.of(
          ComputeReports.class,
          Programs.class,
          ProgramSources.class,
          PowerControl.class,
          Health.class,
          PageRetirement.class,
          PageMigration.class,
          Display.class,
          Scanout.class,
          FaultInjection.class);

  /**
   * Asks a driver who it is.
   *
   * @throws DriverException when it refuses or fails
   */
  public static JavaHandle look(Driver driver, String source) {
    return guarded(
        () -> new JavaHandle(driver, driver.info(), driver.probe(), source, JavaDevice.BOUND));
  }

  @Override
  public String missing() {
    return "";
  }

  @Override
  public String note() {
    return "";
  }

  @Override
  public Versions versions() {
    return Versions.NONE;
  }

  /** Nothing is to be loaded before. */
  @Override
  public Optional<Standby> standby(DeviceSpec spec, DevicePort.Attachment attachment) {
    return Optional.empty();
  }

  @Override
  public OpenedDevice open(OpenRequest request) {
    if (request.spec().tier() != 1) {
      throw new DriverException(
          Errno.ENOTSUP, "tier: a Java driver runs only in tier 1; set tier=1");
    }
    JavaServices services =
        new JavaServices(
            request.spec().id(),
            request.attachment(),
            why -> request.lost().accept(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, why)));
    try {
      return BoundedCall.call(
          "opening of a Java device", bound, () -> opened(request, services), JavaHandle::late);
    } catch (DriverException e) {
      DriverException told = LastError.in(e, services.lastError());
      services.close();
      throw told;
    }
  }

  /** Nobody else has the device yet: what it is asked here overlaps with no control call. */
  private Opened opened(OpenRequest request, JavaServices services) {
    AccelDevice device =
        guarded(() -> driver.open(request.spec().seed(), request.spec().settings(), services));
    try {
      DeviceInfo said = guarded(() -> Objects.requireNonNull(device.info()));
      JavaDevice guarded = new JavaDevice(device, said, services, bound);
      return new Opened(guarded, published(guarded), names(guarded));
    } catch (RuntimeException | Error e) {
      if (device != null) {
        closeUnused(device);
      }
      throw e;
    }
  }

  private static void closeUnused(AccelDevice device) {
    try {
      device.close();
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      LOG.warn("a device that failed to open did not close", e);
    }
  }

  /** Nobody waits for it any more. */
  private static void late(Opened opened) {
    try {
      opened.end(false);
    } catch (RuntimeException e) {
      LOG.warn("a device that opened after the time limit did not close", e);
    }
  }

  private record Opened(JavaDevice device, List<String> services, List<String> interfaces)
      implements OpenedDevice {
    @Override
    public Optional<DriverProcess> process() {
      return Optional.empty();
    }

    /** Each line is logged when the driver says it. */
    @Override
    public void tellLog() {}

    @Override
    public void end(boolean orderly) {
      device.close();
    }

    @Override
    public void release() {}
  }

  /** As of a native device. */
  private static List<String> published(AccelDevice device) {
    List<String> services = new ArrayList<>();
    if (has(device, ComputeReports.class) || has(device, Programs.class)) {
      services.add("accel-compute");
    }
    if (has(device, Display.class)) {
      services.add("accel-display");
    }
    return services;
  }

  private static boolean has(AccelDevice device, Class<?> type) {
    return device.extension(type).isPresent();
  }

  private static List<String> names(AccelDevice device) {
    List<String> names = new ArrayList<>(List.of("accel-base"));
    for (Class<?> type : EXTENSIONS) {
      if (has(device, type)) {
        names.add(type.getSimpleName());
      }
    }
    return names;
  }

  private static <T> T guarded(java.util.function.Supplier<T> call) {
    try {
      return call.get();
    } catch (DriverException e) {
      throw e;
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      throw new DriverException(Errno.EIO, "the driver failed: " + e, e);
    }
  }
}
