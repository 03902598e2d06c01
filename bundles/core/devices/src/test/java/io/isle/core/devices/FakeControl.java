package io.isle.core.devices;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceRegistry.DeviceControl;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Owner of a driver that opens devices at once, and keeps what it was told. */
final class FakeControl implements DeviceControl {
  final Map<String, DeviceSpec> open = new LinkedHashMap<>();
  final List<String> calls = new CopyOnWriteArrayList<>();
  final Set<String> broken = new HashSet<>();

  /** What becomes of devices that are not opened. */
  final Map<String, DeviceState> ends = new ConcurrentHashMap<>();

  Consumer<DeviceReport> reports = report -> {};
  volatile boolean usable = true;

  /** What {@link #resume} throws, if not null. */
  volatile DriverException refusal;

  /** Devices whose calls wait for these. */
  final Map<String, CountDownLatch> slow = new ConcurrentHashMap<>();

  private int epoch;

  @Override
  public void apply(DeviceSpec spec) {
    check();
    calls.add("apply " + spec.id());
    if (spec.equals(open.get(spec.id()))) {
      throw new AssertionError("told twice: " + spec);
    }
    open.put(spec.id(), spec);
    say(spec);
  }

  @Override
  public void remove(String deviceId) {
    check();
    calls.add("remove " + deviceId);
    if (open.remove(deviceId) == null) {
      throw new AssertionError("was not there: " + deviceId);
    }
  }

  @Override
  public void reload(DeviceSpec spec) {
    check();
    try {
      slow.getOrDefault(spec.id(), new CountDownLatch(0)).await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    calls.add("reload " + spec.id());
    say(spec);
  }

  @Override
  public void reset(DeviceSpec spec) {
    check();
    calls.add("reset " + spec.id());
    say(spec);
  }

  @Override
  public void suspend(String deviceId) {
    check();
    calls.add("suspend " + deviceId);
    reports.accept(closed(deviceId, epoch, DeviceState.SUSPENDED, ""));
  }

  @Override
  public void resume(String deviceId) {
    check();
    if (refusal != null) {
      throw refusal;
    }
    calls.add("resume " + deviceId);
    reports.accept(active(deviceId, epoch));
  }

  @Override
  public void injectFault(String deviceId, HostFault fault) {
    check();
    calls.add(fault + " " + deviceId);
  }

  @Override
  public void injectFault(String deviceId, String group, HostFault fault) {
    check();
    calls.add(fault + " " + deviceId + " " + group);
  }

  static DeviceReport active(String id, int epoch) {
    DeviceInfo info =
        new DeviceInfo(
            DeviceClass.GPU_COMPUTE,
            2,
            1 << 26,
            64,
            DeviceInfo.Preemption.COMMAND_BUFFER,
            65536,
            3,
            false,
            false,
            false,
            false);
    return new DeviceReport(
        id,
        DeviceState.ACTIVE,
        "",
        epoch,
        Optional.of(42L),
        Optional.of(43L),
        Optional.of(info),
        List.of("accel-compute"),
        List.of("accel-base 1.0"));
  }

  static DeviceReport closed(String id, int epoch, DeviceState state, String error) {
    return new DeviceReport(
        id,
        state,
        error,
        epoch,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of());
  }

  private void say(DeviceSpec spec) {
    epoch++;
    if (!spec.enabled()) {
      reports.accept(closed(spec.id(), epoch, DeviceState.DISABLED, ""));
    } else if (broken.contains(spec.id())) {
      throw new IllegalStateException(spec.id() + " is broken");
    } else if (ends.containsKey(spec.id())) {
      reports.accept(closed(spec.id(), epoch, ends.get(spec.id()), "given up"));
    } else {
      reports.accept(active(spec.id(), epoch));
    }
  }

  private void check() {
    if (!usable) {
      throw new AssertionError("called after it went");
    }
  }
}
