package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A driver that is a Java service. What it throws by mistake becomes a refusal. */
record JavaHandle(Driver driver, DriverInfo info, List<DeviceSeed> seeds, String source)
    implements DriverHandle {
  /**
   * Asks a driver who it is.
   *
   * @throws DriverException when it refuses or fails
   */
  static JavaHandle look(Driver driver, String source) {
    return guarded(() -> new JavaHandle(driver, driver.info(), driver.probe(), source));
  }

  @Override
  public OpenedDevice open(OpenRequest request) {
    if (request.spec().tier() != 1) {
      throw new DriverException(
          Errno.ENOTSUP, "tier: a Java driver runs in tier 1 only; set tier=1");
    }
    JavaServices services =
        new JavaServices(
            request.spec().id(),
            request.plug(),
            why -> request.lost().accept(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, why)));
    try {
      AccelDevice device =
          BoundedCall.call(
              "opening of a Java device",
              JavaDevice.BOUND,
              () ->
                  guarded(
                      () ->
                          driver.open(request.spec().seed(), request.spec().settings(), services)));
      JavaDevice guarded = new JavaDevice(device, services, JavaDevice.BOUND);
      return new Opened(guarded, published(guarded), names(guarded));
    } catch (DriverException e) {
      services.close();
      throw e;
    }
  }

  private record Opened(JavaDevice device, List<String> services, List<String> interfaces)
      implements OpenedDevice {
    @Override
    public Optional<Long> hostPid() {
      return Optional.empty();
    }

    @Override
    public void end(boolean orderly) {
      device.close();
    }

    @Override
    public void release() {}
  }

  private static List<String> published(AccelDevice device) {
    return device.extension(Programs.class).isPresent() ? List.of("accel-compute") : List.of();
  }

  private static List<String> names(AccelDevice device) {
    List<String> names = new ArrayList<>(List.of("accel-base"));
    for (Class<?> type : List.of(ComputeReports.class, Programs.class, FaultInjection.class)) {
      if (device.extension(type).isPresent()) {
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
