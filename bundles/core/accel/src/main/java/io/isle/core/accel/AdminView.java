package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextInfo;
import io.isle.api.base.Errno;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Utilization;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What an administrator sees and does. Thread-safe. */
final class AdminView implements AccelAdmin {
  /** A device of which nothing can be said now. */
  private static final Set<Integer> IN_RECOVERY =
      Set.of(Errno.ENODEV, Errno.EINTR, Errno.ETIMEDOUT);

  private final AccelCore core;

  AdminView(AccelCore core) {
    this.core = core;
  }

  @Override
  public List<ContextInfo> contexts() {
    return core.places().stream()
        .flatMap(place -> place.contexts().stream())
        .map(ExecutionContext::info)
        .toList();
  }

  @Override
  public List<MemoryInfo> memory() {
    return core.places().stream()
        .flatMap(place -> place.contexts().stream())
        .flatMap(context -> context.memory().list().stream())
        .toList();
  }

  @Override
  public List<UtilizationInfo> utilization() {
    List<UtilizationInfo> all = new ArrayList<>();
    for (DevicePlace place : core.places()) {
      try {
        OpenDevice open = place.device();
        Utilization use = open.lane().call("utilization", () -> open.device().utilization());
        all.add(info(place.deviceId(), use));
      } catch (AccelException e) {
        if (!IN_RECOVERY.contains(e.code())) {
          throw e;
        }
      }
    }
    return all;
  }

  @Override
  public List<ComputeInfo> compute() {
    List<ComputeInfo> all = new ArrayList<>();
    for (DevicePlace place : core.places()) {
      try {
        OpenDevice open = place.device();
        open.reports()
            .ifPresent(
                reports ->
                    all.add(
                        info(place.deviceId(), open.lane().call("compute caps", reports::caps))));
      } catch (AccelException e) {
        if (!IN_RECOVERY.contains(e.code())) {
          throw e;
        }
      }
    }
    return all;
  }

  @Override
  public void injectFault(String device, String fault, long after, long count, long value) {
    FaultInjection.Fault planned = fault(fault);
    if (after < 0 || count < 1 || value < 0) {
      throw new AccelException(Errno.EINVAL, "after and value are 0 or more, count is 1 or more");
    }
    OpenDevice open =
        core.place(device)
            .orElseThrow(() -> new AccelException(Errno.ENODEV, device + " is not open"))
            .device();
    FaultInjection faults =
        open.faults()
            .orElseThrow(
                () ->
                    new AccelException(
                        Errno.ENOTSUP,
                        device + ": its settings forbid faults; set fault_injection=true"));
    open.lane().run("inject fault", () -> faults.inject(planned, after, count, value));
  }

  private static FaultInjection.Fault fault(String name) {
    for (FaultInjection.Fault fault : FaultInjection.Fault.values()) {
      if (fault.name().toLowerCase(Locale.ROOT).equals(name)) {
        return fault;
      }
    }
    throw new AccelException(
        Errno.EINVAL,
        "fault: '"
            + name
            + "' is not one of latency, context_error, partial_error, hang, segv, abort, exit,"
            + " lost_completion");
  }

  private static ComputeInfo info(String device, ComputeReports.ComputeCaps caps) {
    return new ComputeInfo(
        device,
        caps.isaVersion(),
        caps.maxWorkgroupSize(),
        caps.maxLocalMemory(),
        caps.shaderCores(),
        caps.fp32Gflops(),
        caps.fp16Gflops(),
        caps.int8Tops(),
        caps.tensorCores());
  }

  private static UtilizationInfo info(String device, Utilization use) {
    return new UtilizationInfo(
        device,
        use.computePercent(),
        use.memoryBandwidthPercent(),
        use.memoryUsedBytes(),
        use.memoryTotalBytes(),
        use.activeContexts(),
        use.temperatureMilliCelsius(),
        use.powerMilliwatts(),
        use.clockMhz());
  }
}
