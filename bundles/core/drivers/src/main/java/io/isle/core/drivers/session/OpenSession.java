package io.isle.core.drivers.session;

import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Fences;
import io.isle.api.driver.GroupIsolation;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.Health;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Scanout;
import io.isle.api.driver.Vitals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** One opening of a device or of a group's process, as it is lent. */
public final class OpenSession implements DeviceSession {
  /** All that a device may have beside {@link Vitals}. */
  private static final List<Class<?>> PARTS =
      List.of(
          Programs.class,
          ProgramSources.class,
          ComputeReports.class,
          PowerControl.class,
          Health.class,
          PageRetirement.class,
          PageMigration.class,
          FaultInjection.class,
          Display.class,
          Scanout.class,
          HandlerUnits.class,
          GroupIsolation.class,
          Fences.class,
          DriverLog.class);

  private final Of of;
  private final AccelDevice device;
  private final DeviceLane lane;
  private final DeviceInfo info;
  private final Map<Class<?>, Object> parts;
  private volatile boolean ended;

  /**
   * What it is an opening of.
   *
   * @param group whose process it is; empty for the device's own
   * @param whole the device's own opening, with which that of a group ends; empty for that itself
   */
  public record Of(
      String device,
      Optional<String> group,
      int epoch,
      OpeningHistory history,
      Optional<OpenSession> whole) {}

  /** What the driver says of it. */
  private record Said(DeviceInfo info, Map<Class<?>, Object> parts) {}

  private OpenSession(Of of, AccelDevice device, DeviceLane lane, Said said) {
    this.of = of;
    this.device = device;
    this.lane = lane;
    this.info = said.info;
    this.parts = said.parts;
  }

  /**
   * Asks the device for its properties, in one call on its lane.
   *
   * @param further calls of the owner, made in the same call of the lane
   * @throws DriverException as {@link DeviceLane#call}
   */
  public static OpenSession open(Of of, AccelDevice device, DeviceLane lane, Runnable further) {
    Said said =
        lane.call(
            "open",
            () -> {
              Said properties = asked(device);
              further.run();
              return properties;
            });
    return new OpenSession(of, device, lane, said);
  }

  private static Said asked(AccelDevice device) {
    Map<Class<?>, Object> parts = new HashMap<>();
    for (Class<?> type : PARTS) {
      device.extension(type).ifPresent(part -> parts.put(type, part));
    }
    return new Said(Objects.requireNonNull(device.info()), Map.copyOf(parts));
  }

  /** The device itself, for its owner. */
  public AccelDevice device() {
    return device;
  }

  public DeviceLane lane() {
    return lane;
  }

  @Override
  public String id() {
    return of.device;
  }

  @Override
  public Optional<String> group() {
    return of.group;
  }

  @Override
  public int epoch() {
    return of.epoch;
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public boolean alive() {
    return !hasEnded() && device.alive();
  }

  @Override
  public boolean has(Class<?> extension) {
    return extension == Vitals.class || parts.containsKey(extension);
  }

  @Override
  public <X, T> T call(Class<X> extension, Function<X, T> function) {
    if (hasEnded()) {
      throw ended();
    }
    Object part = extension == Vitals.class ? device : parts.get(extension);
    if (part == null) {
      throw new DriverException(
          Errno.ENOTSUP, name() + ": the device has no " + extension.getSimpleName());
    }
    if (part instanceof Routed) {
      return function.apply(extension.cast(part));
    }
    return lane.call(extension.getSimpleName(), () -> function.apply(extension.cast(part)));
  }

  /** It is taken from its driver: no further call is made. */
  public void end() {
    ended = true;
  }

  private boolean hasEnded() {
    return ended || of.whole.isPresent() && of.whole.get().ended;
  }

  private DriverException ended() {
    OpeningHistory all =
        of.whole.filter(it -> it.ended).map(it -> it.of.history).orElse(of.history);
    return switch (all.code()) {
      case Errno.ENODEV -> new DriverException(Errno.ENODEV, name() + " is no longer open");
      case Errno.ESTALE ->
          new DriverException(
              Errno.ESTALE,
              name()
                  + ": opening "
                  + of.epoch
                  + " of the device has ended, and a newer opening"
                  + " has followed");
      default -> new DriverException(Errno.EINTR, name() + " recovers; try again in a moment");
    };
  }

  private String name() {
    return of.group.map(group -> of.device + ", group " + group).orElse(of.device);
  }
}
