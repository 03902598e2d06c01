package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.GroupUsage;
import io.isle.api.base.Errno;
import io.isle.api.driver.ComputeReports;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.core.accel.context.LoadedProgram;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.managed.FenceReport;
import io.isle.core.accel.managed.LiveJournal;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.submit.ExecutionContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

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
    return core.devices().stream()
        .flatMap(device -> device.contexts().stream())
        .map(ExecutionContext::info)
        .toList();
  }

  @Override
  public List<GroupUsage> groups() {
    return core.figures().all(core.devices().stream().map(ManagedDevice::deviceId).toList());
  }

  @Override
  public List<WorkErrorInfo> workErrors() {
    return core.devices().stream()
        .flatMap(device -> device.workErrors().newest().stream())
        .toList();
  }

  @Override
  public List<MemoryInfo> memory() {
    return core.devices().stream()
        .flatMap(device -> device.contexts().stream())
        .flatMap(context -> context.memory().list().stream())
        .toList();
  }

  @Override
  public List<ProgramInfo> programs() {
    return core.devices().stream()
        .flatMap(device -> device.contexts().stream())
        .flatMap(context -> context.programs().list().stream())
        .map(LoadedProgram::info)
        .toList();
  }

  @Override
  public List<FenceInfo> fences() {
    return FenceReport.timelines(
        core.devices(), core.fences().timelines(), core.clock().nanoTime());
  }

  @Override
  public List<FenceDeviceInfo> fenceDevices() {
    return FenceReport.devices(core.devices());
  }

  @Override
  public List<ComputeInfo> compute() {
    return ofOpen(
        device ->
            ask(device, "compute caps", open -> open.reports().map(ComputeReports::caps)).stream()
                .map(caps -> info(device, caps))
                .toList());
  }

  /** What every open device says; those that recover now or answer nonsense are left out. */
  private <T> List<T> ofOpen(Function<ManagedDevice, List<T>> said) {
    List<T> all = new ArrayList<>();
    for (ManagedDevice device : core.devices()) {
      try {
        all.addAll(said.apply(device));
      } catch (AccelException e) {
        if (!ITS_OWN.contains(e.code())) {
          throw e;
        }
        LOG.log(System.Logger.Level.DEBUG, "left out: {0}", e.getMessage());
      }
    }
    return all;
  }

  private static <T> T ask(ManagedDevice device, String what, Function<OpenDevice, T> question) {
    OpenDevice open = device.currentOpening().device();
    return open.lane().call(what, () -> question.apply(open));
  }

  @Override
  public JournalInfo journal(String device, Duration time, OutputStream out) throws IOException {
    try {
      return core.audit()
          .recorded(
              AuditEvent.of(Actor.current(), "device.journal")
                  .device(device)
                  .detail(time.toMillis() + " ms"),
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
        core.device(device)
            .orElseThrow(() -> new AccelException(Errno.ENODEV, device + " is not open"))
            .journal();
    try {
      return journal.write(time, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ComputeInfo info(ManagedDevice device, ComputeReports.ComputeCaps caps) {
    return new ComputeInfo(
        device.deviceId(),
        caps.isaVersion(),
        caps.maxWorkgroupSize(),
        caps.maxLocalMemory(),
        caps.shaderCores(),
        caps.fp32Gflops(),
        caps.fp16Gflops(),
        caps.int8Tops(),
        caps.tensorCores());
  }
}
