package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.Health;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Scanout;
import io.isle.api.driver.Utilization;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Negotiation;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A device of a native driver, behind a lane. Core ids go over the wire as they are. */
public final class NativeDevice implements AccelDevice {
  private final Lane lane;
  private final ControlClient control;
  private final CompletionSink sink;
  private final Starts starts;
  private final Negotiation negotiation;
  private final boolean preempts;
  private final NativeContexts contexts;

  /** {@code started} hears when work begins, on the thread that polls. */
  public NativeDevice(
      Lane lane,
      ControlClient control,
      Negotiation negotiation,
      CompletionSink sink,
      Starts.Listener started) {
    this.lane = lane;
    this.control = control;
    this.negotiation = negotiation;
    this.preempts = negotiation.preempts();
    this.contexts = new NativeContexts(lane, control, negotiation.info().localMemoryBytes());
    this.starts = new Starts(lane.starts(), started);
    this.sink =
        (tag, status, start, end, busy, detail) -> {
          starts.ended(tag);
          return sink.complete(tag, status, start, end, busy, detail);
        };
  }

  public Negotiation negotiation() {
    return negotiation;
  }

  @Override
  public DeviceInfo info() {
    return negotiation.info();
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    if (type == DriverLog.class) {
      return Optional.of(type.cast(new NativeLog(lane.log())));
    }
    if (type == Programs.class && negotiation.has(Negotiation.PROGRAMS)) {
      return Optional.of(
          type.cast(
              new NativePrograms(
                  lane, control, negotiation.programKinds(), negotiation.describesKernels())));
    }
    if (type == Kernels.class && negotiation.describesKernels()) {
      return Optional.of(type.cast(new NativeKernels(control)));
    }
    if (type == ProgramSources.class && negotiation.takesFiles()) {
      return extension(Programs.class)
          .map(programs -> type.cast(new NativeSources(lane, control, (NativePrograms) programs)));
    }
    if (type == ComputeReports.class && negotiation.has(Negotiation.COMPUTE)) {
      return Optional.of(type.cast(new NativeReports(control)));
    }
    if (type == PowerControl.class && negotiation.has(Negotiation.POWER)) {
      return Optional.of(type.cast(new NativePower(control)));
    }
    if (type == Health.class && negotiation.has(Negotiation.HEALTH)) {
      return Optional.of(type.cast(new NativeHealth(control)));
    }
    if (type == PageRetirement.class && negotiation.has(Negotiation.PAGE_RETIREMENT)) {
      return Optional.of(type.cast(new NativeRetirement(control)));
    }
    if (type == PageMigration.class && negotiation.migrates()) {
      return Optional.of(type.cast(new NativeMigration(control)));
    }
    if (type == Display.class && negotiation.has(Negotiation.DISPLAY)) {
      return Optional.of(type.cast(new NativeDisplay(control)));
    }
    if (type == Scanout.class && negotiation.has(Negotiation.SCANOUT)) {
      return Optional.of(type.cast(new NativeScanout(control)));
    }
    if (type == HandlerUnits.class && negotiation.has(Negotiation.HPU)) {
      return Optional.of(type.cast(new NativeHandlers(control)));
    }
    if (type == FaultInjection.class && negotiation.has(Negotiation.FAULT_INJECTION)) {
      return Optional.of(type.cast(new NativeFaults(control)));
    }
    return Optional.empty();
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    contexts.create(context, args);
  }

  @Override
  public void destroyContext(long context) {
    contexts.destroy(context);
  }

  @Override
  public void resetContext(long context) {
    var ignored = control.call(ControlOp.RESET_CONTEXT, context);
  }

  @Override
  public void resetDevice() {
    var ignored = control.call(ControlOp.RESET_DEVICE);
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    return contexts.allocate(context, memory, args);
  }

  @Override
  public void free(long memory) {
    var ignored = control.call(ControlOp.FREE, memory);
  }

  @Override
  public Utilization utilization() {
    return Decoder.utilization(
        control.call(ControlOp.UTILIZATION).as(KabiStructs.UTILIZATION, ControlOp.UTILIZATION));
  }

  @Override
  public PowerState power() {
    return Decoder.power(
        control.call(ControlOp.POWER).as(KabiStructs.POWER_STATE, ControlOp.POWER));
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    var ignored = control.call(ControlOp.SET_PERF_LEVEL, level.ordinal());
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    int result = lane.submit(tag, context, offset, length);
    if (result == 0) {
      starts.submitted(tag);
    }
    return result;
  }

  @Override
  public int poll(int limit) {
    int taken = take(limit);
    starts.look(System.nanoTime());
    return taken;
  }

  private int take(int limit) {
    if (negotiation.polled()) {
      lane.ask(limit);
    }
    return lane.poll(limit, sink);
  }

  @Override
  public int preempt(long context, int reason) {
    // a host has no way to answer that
    return preempts ? lane.preempt(context, reason) : -Errno.ENOTSUP;
  }

  @Override
  public boolean alive() {
    return lane.alive();
  }

  /**
   * Takes the device from its driver, which uses nothing of it afterwards unless it hangs in this
   * process. Its memory is still mapped here.
   *
   * @param orderly asks the driver to close the device first
   */
  public void end(boolean orderly) {
    boolean closed = false;
    boolean hosted = lane.hostPid().isPresent();
    try {
      if (!orderly && hosted) {
        lane.abandon(new RecoveryCause(RecoveryCause.Kind.RESET, "the device was taken away"));
      } else if (lane.alive()) {
        var ignored = control.call(ControlOp.CLOSE);
        closed = true;
        takeLast();
        if (hosted && lane.alive()) {
          ignored =
              control.exchange(
                  ControlOp.EXIT, MemorySegment.ofArray(new byte[0]), ControlClient.BOUND_NS);
        }
      }
    } finally {
      control.awaitIdle();
      lane.end(closed);
    }
  }

  /**
   * What ended with an error while closing is still in the ring: no more than can be in flight,
   * however fast a host writes more.
   */
  private void takeLast() {
    int left = DevicePort.MAX_INFLIGHT;
    for (int taken = take(left); taken > 0 && left > taken; taken = take(left)) {
      left -= taken;
    }
  }

  /**
   * Unmaps what the driver shared with the core, unless its library stays; waits for calls that use
   * the memory, at most a second. After {@link #end}.
   */
  public void release() {
    lane.release();
    if (!lane.stays()) {
      contexts.release();
    }
  }

  @Override
  public void close() {
    try {
      end(true);
    } finally {
      release();
    }
  }
}
