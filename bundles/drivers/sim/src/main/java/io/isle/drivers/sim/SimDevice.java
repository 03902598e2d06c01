package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverServices;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Fences;
import io.isle.api.driver.Health;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** An open simulated device. Lanes as {@link AccelDevice} says. */
final class SimDevice implements AccelDevice {
  /** Local, visible to the CPU, coherent, pages of 2 MiB and 1 GiB. */
  private static final int MEMORY_TYPES = 0x1f;

  private final SimSettings settings;
  private final IdTable<SimContext> contexts = new IdTable<>();
  private final FaultPlan faults = new FaultPlan();
  private final SimHeap heap;
  private final Units units;
  private final DataLane data;
  private final SimReports reports;
  private final SimPrograms programs;
  private final SimModel model;
  private final SimPages pages;
  private final SimFences fences;
  private boolean closed;

  SimDevice(String name, SimSettings settings, DriverServices core) {
    this.settings = settings;
    this.heap = new SimHeap(settings.memoryBytes(), settings.copies(), core);
    this.model = new SimModel(core.clock(), settings.computeUnits());
    this.pages = new SimPages(heap, model, this::context);
    WorkRunner runner = new WorkRunner(core, settings, faults, model, pages);
    this.units = new Units(name, core, settings, runner);
    this.fences = new SimFences(settings.maxFenceValue(), units);
    Intake intake =
        new Intake(
            heap.table(), settings.maxCommandBytes(), settings.fences(), settings.compiler());
    this.data = new DataLane(contexts, intake, settings.preemption(), core.clock(), units::wake);
    this.reports =
        new SimReports(settings, model, units, heap, contexts, core.clock(), this::context);
    this.programs = new SimPrograms(settings.compiler(), this::context);
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        settings.deviceClass(),
        settings.computeUnits(),
        settings.memoryBytes(),
        settings.maxContexts(),
        settings.preemption(),
        settings.maxCommandBytes(),
        MEMORY_TYPES,
        false,
        false,
        false,
        false);
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    if (type == Programs.class) {
      return Optional.of(type.cast(programs));
    }
    if (type == ProgramSources.class && programs.kinds().contains(Programs.Kind.OPENCL_C)) {
      return Optional.of(type.cast(new SimSources(programs)));
    }
    if (type == io.isle.api.driver.Kernels.class && settings.compiler()) {
      return Optional.of(type.cast(programs));
    }
    if (type == ComputeReports.class) {
      return Optional.of(type.cast(reports));
    }
    if (type == PowerControl.class || type == Health.class) {
      return Optional.of(type.cast(model));
    }
    if (type == PageRetirement.class || type == PageMigration.class) {
      return Optional.of(type.cast(pages));
    }
    if (type == Fences.class && settings.fences()) {
      return Optional.of(type.cast(fences));
    }
    return type == FaultInjection.class && settings.faultInjection()
        ? Optional.of(type.cast(faults))
        : Optional.empty();
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    checkAlive();
    if (context == 0 || contexts.get(context) != null) {
      throw new DriverException(Errno.EEXIST, "context: id " + context + " is taken or 0");
    }
    if (args.maxMemoryBytes() < 0 || args.maxExecutionUs() < 0) {
      throw new DriverException(Errno.EINVAL, "limits: a limit is negative; 0 means no limit");
    }
    if (args.guaranteedBandwidthUs() != 0) {
      throw new DriverException(Errno.ENOTSUP, "guaranteed_bandwidth_us: must be 0 here");
    }
    if (contexts.size() >= settings.maxContexts()) {
      throw new DriverException(
          Errno.ENOSPC, "max_contexts: all " + settings.maxContexts() + " contexts are taken");
    }
    contexts.put(context, new SimContext(context, args));
    units.serve(contexts.values());
  }

  @Override
  public void destroyContext(long context) {
    SimContext gone = context(context);
    gone.shut();
    units.cancel(gone, -Errno.ECLOSED);
    contexts.remove(context);
    units.serve(contexts.values());
    programs.unloadAll(gone);
    heap.freeAll(gone);
  }

  @Override
  public void resetContext(long context) {
    units.cancel(context(context), -Errno.EINTR);
  }

  @Override
  public void resetDevice() {
    checkAlive();
    contexts.values().forEach(context -> units.cancel(context, -Errno.EINTR));
    faults.clear();
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return heap.allocate(context(context), memory, args);
  }

  @Override
  public void free(long memory) {
    checkAlive();
    heap.free(memory);
  }

  @Override
  public Utilization utilization() {
    return reports.utilization();
  }

  @Override
  public PowerState power() {
    return reports.power();
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    reports.setPerformanceLevel(level);
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    return units.isDead() ? -Errno.ENODEV : data.submit(context, tag, commands, offset, length);
  }

  @Override
  public int poll(int limit) {
    return 0;
  }

  @Override
  public int preempt(long context, int reason) {
    return data.preempt(context, reason);
  }

  @Override
  public boolean alive() {
    return !units.isDead();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (SimContext context : contexts.values()) {
      context.shut();
      units.cancel(context, -Errno.ECLOSED);
    }
    units.stop();
    for (SimContext context : contexts.values()) {
      contexts.remove(context.id);
      heap.freeAll(context);
    }
  }

  private SimContext context(long id) {
    checkAlive();
    SimContext context = contexts.get(id);
    if (context == null) {
      throw new DriverException(Errno.ENOENT, "no context " + Long.toHexString(id));
    }
    return context;
  }

  private void checkAlive() {
    if (closed) {
      throw new DriverException(Errno.ECLOSED, "the device is closed");
    }
    if (units.isDead()) {
      throw new DriverException(Errno.ENODEV, "the device crashed; reopen the device");
    }
  }
}
