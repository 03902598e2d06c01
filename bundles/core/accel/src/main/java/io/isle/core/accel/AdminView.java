package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.GroupUsage;
import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Health;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import io.isle.core.accel.device.OpenDevice;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What an administrator sees and does. Thread-safe. */
final class AdminView implements AccelAdmin {
  /** Of one device that recovers, or whose driver answers nonsense: no reason to hide others. */
  private static final Set<Integer> ITS_OWN =
      Set.of(Errno.ENODEV, Errno.EINTR, Errno.ETIMEDOUT, Errno.EPROTO);

  private static final System.Logger LOG = System.getLogger(AdminView.class.getName());

  private static final Duration LONGEST_JOURNAL = Duration.ofHours(1);

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
  public List<GroupUsage> groups() {
    return core.figures().all(core.places().stream().map(DevicePlace::deviceId).toList());
  }

  @Override
  public List<WorkErrorInfo> workErrors() {
    return core.places().stream().flatMap(place -> place.workErrors().newest().stream()).toList();
  }

  @Override
  public List<MemoryInfo> memory() {
    return core.places().stream()
        .flatMap(place -> place.contexts().stream())
        .flatMap(context -> context.memory().list().stream())
        .toList();
  }

  @Override
  public List<ProgramInfo> programs() {
    return core.places().stream()
        .flatMap(place -> place.contexts().stream())
        .flatMap(context -> context.programs().list().stream())
        .map(LoadedProgram::info)
        .toList();
  }

  @Override
  public List<FenceInfo> fences() {
    return FenceReport.timelines(core);
  }

  @Override
  public List<FenceDeviceInfo> fenceDevices() {
    return FenceReport.devices(core);
  }

  @Override
  public List<UtilizationInfo> utilization() {
    return ofOpen(
        place -> {
          Utilization use = ask(place, "utilization", open -> open.device().utilization());
          return List.of(info(place, use));
        });
  }

  @Override
  public List<ComputeInfo> compute() {
    return ofOpen(
        place ->
            ask(place, "compute caps", open -> open.reports().map(ComputeReports::caps)).stream()
                .map(caps -> info(place, caps))
                .toList());
  }

  @Override
  public List<PowerInfo> power() {
    return ofOpen(
        place -> {
          PowerInfo said = ask(place, "power", o -> info(place, o.device().power(), o.health()));
          return List.of(said);
        });
  }

  @Override
  public List<DisplayInfo> displays() {
    return ofOpen(place -> place.display().infos());
  }

  /** What every open device says; those that recover now or answer nonsense are left out. */
  private <T> List<T> ofOpen(Function<DevicePlace, List<T>> said) {
    List<T> all = new ArrayList<>();
    for (DevicePlace place : core.places()) {
      try {
        all.addAll(said.apply(place));
      } catch (AccelException e) {
        if (!ITS_OWN.contains(e.code())) {
          throw e;
        }
        LOG.log(System.Logger.Level.DEBUG, "left out: {0}", e.getMessage());
      }
    }
    return all;
  }

  private static <T> T ask(DevicePlace place, String what, Function<OpenDevice, T> question) {
    OpenDevice open = place.occupancy().device();
    return open.lane().call(what, () -> question.apply(open));
  }

  @Override
  public List<DisplayMode> displayModes(String device, int connector) {
    return core.place(device)
        .orElseThrow(() -> new AccelException(Errno.ENODEV, device + " is not open"))
        .display()
        .modes(connector);
  }

  @Override
  public void setPerformanceLevel(String device, String level) {
    core.audit()
        .run(
            core.audit().admin("device.performance-level", device).detail(level),
            () -> open(device).setPerformanceLevel(level));
  }

  @Override
  public void injectFault(String device, String fault, long after, long count, long value) {
    core.audit()
        .run(
            core.audit()
                .admin("device.inject-fault", device)
                .detail(fault + " after " + after + ", " + count + " times, value " + value),
            () -> inject(open(device), fault, after, count, value));
  }

  @Override
  public JournalInfo journal(String device, Duration time, OutputStream out) throws IOException {
    try {
      return core.audit()
          .recorded(
              core.audit().admin("device.journal", device).detail(time.toMillis() + " ms"),
              () -> write(device, time, out),
              info -> "");
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private JournalInfo write(String device, Duration time, OutputStream out) {
    if (time.compareTo(Duration.ZERO) <= 0 || time.compareTo(LONGEST_JOURNAL) > 0) {
      throw new AccelException(
          Errno.EINVAL, "time: " + time.toMillis() + " ms is not within 1 to 3600000 ms");
    }
    LiveJournal journal =
        core.place(device)
            .orElseThrow(() -> new AccelException(Errno.ENODEV, device + " is not open"))
            .journal();
    try {
      return journal.write(time, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void inject(OpenDevice open, String fault, long after, long count, long value) {
    FaultInjection.Fault planned = fault(fault);
    if (after < 0 || count < 1 || value < 0) {
      throw new AccelException(Errno.EINVAL, "after and value are 0 or more, count is 1 or more");
    }
    FaultInjection faults =
        open.faults()
            .orElseThrow(
                () ->
                    new AccelException(
                        Errno.ENOTSUP,
                        "the device's settings forbid faults; set fault_injection=true"));
    open.lane().run("inject fault", () -> faults.inject(planned, after, count, value));
  }

  private OpenDevice open(String device) {
    return core.place(device)
        .orElseThrow(() -> new AccelException(Errno.ENODEV, device + " is not open"))
        .occupancy()
        .device();
  }

  private static FaultInjection.Fault fault(String name) {
    for (FaultInjection.Fault fault : FaultInjection.Fault.values()) {
      if (text(fault).equals(name)) {
        return fault;
      }
    }
    throw new AccelException(
        Errno.EINVAL,
        "fault: '"
            + name
            + "' is not one of "
            + Arrays.stream(FaultInjection.Fault.values())
                .map(AdminView::text)
                .collect(Collectors.joining(", ")));
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static PowerInfo info(DevicePlace place, PowerState power, Optional<Health> health) {
    return new PowerInfo(
        place.deviceId(),
        PowerControl.State.of(power.level()).map(AdminView::text).orElse("level " + power.level()),
        text(power.performanceLevel()),
        power.temperatureMilliCelsius(),
        power.powerMilliwatts(),
        power.powerLimitMilliwatts(),
        power.clockMhz(),
        power.throttled(),
        health.map(Health::read).map(AdminView::info));
  }

  private static HealthInfo info(Health.Reading read) {
    return new HealthInfo(
        read.eccCorrectable(),
        read.eccUncorrectable(),
        read.throttleCount(),
        read.errorCode(),
        read.pcieReplayCount());
  }

  private static ComputeInfo info(DevicePlace place, ComputeReports.ComputeCaps caps) {
    return new ComputeInfo(
        place.deviceId(),
        caps.isaVersion(),
        caps.maxWorkgroupSize(),
        caps.maxLocalMemory(),
        caps.shaderCores(),
        caps.fp32Gflops(),
        caps.fp16Gflops(),
        caps.int8Tops(),
        caps.tensorCores());
  }

  private static UtilizationInfo info(DevicePlace place, Utilization use) {
    return new UtilizationInfo(
        place.deviceId(),
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
