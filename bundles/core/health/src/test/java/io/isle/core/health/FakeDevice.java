package io.isle.core.health;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Health;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import io.isle.api.driver.Vitals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A device and its session. */
final class FakeDevice implements DeviceSession, Vitals, Health, FaultInjection {
  private final String id;

  /** What was asked of it. */
  final List<String> calls = new ArrayList<>();

  /** What every call comes to; null when it answers. */
  DriverException refusal;

  boolean keepsCounters = true;
  boolean takesFaults = true;
  int powerLevel;

  FakeDevice(String id) {
    this.id = id;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Optional<String> group() {
    return Optional.empty();
  }

  @Override
  public int epoch() {
    return 1;
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        DeviceClass.GPU_COMPUTE,
        1,
        1,
        1,
        DeviceInfo.Preemption.INSTRUCTION,
        256,
        1,
        false,
        false,
        false,
        false);
  }

  @Override
  public boolean alive() {
    return true;
  }

  @Override
  public boolean has(Class<?> extension) {
    return extension == Vitals.class
        || extension == Health.class && keepsCounters
        || extension == FaultInjection.class && takesFaults;
  }

  @Override
  public <X, T> T call(Class<X> extension, Function<X, T> function) {
    if (refusal != null) {
      throw refusal;
    }
    if (!has(extension)) {
      throw new DriverException(Errno.ENOTSUP, id + ": it has no " + extension.getSimpleName());
    }
    return function.apply(extension.cast(this));
  }

  @Override
  public Utilization utilization() {
    return new Utilization(50, 25, 4096, 1 << 20, 3, 40_000, 10_000, 1000);
  }

  @Override
  public PowerState power() {
    return new PowerState(
        powerLevel, PerformanceLevel.BALANCED, 41_000, 11_000, 25_000, 1100, true);
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    calls.add("level " + level);
  }

  @Override
  public Reading read() {
    return new Reading(41_000, 11_000, 1, 2, 3, 4, 5);
  }

  @Override
  public void inject(Fault fault, long after, long count, long value) {
    calls.add(fault + " " + after + " " + count + " " + value);
  }
}
