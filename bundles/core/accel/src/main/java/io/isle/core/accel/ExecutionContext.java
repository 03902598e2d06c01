package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.PerfCounters;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.Timeline;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.ComputeReports;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.agent.ServedContext;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.queue.Awaiting;
import io.isle.core.accel.queue.DriverErrors;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** A tenant's context: the face of a {@link SubmissionPath}, its memory and its programs. */
public final class ExecutionContext implements Context, ServedContext {
  private final ContextSeat seat;
  private final SubmissionPath path;
  private final ContextMemory memory;
  private final ContextPrograms programs;

  ExecutionContext(ContextSeat seat) {
    this.seat = seat;
    this.path = new SubmissionPath(this, seat);
    this.memory = new ContextMemory(this, seat);
    this.programs = new ContextPrograms(this, seat);
  }

  @Override
  public long id() {
    return seat.id();
  }

  @Override
  public Accelerator accelerator() {
    return seat.accelerator();
  }

  @Override
  public Buffer allocate(long bytes, int flags) {
    return audited(
        "memory.allocate",
        bytes + " bytes",
        () -> memory.allocate(bytes, flags),
        buffer -> Ids.text(buffer.id()));
  }

  @Override
  public Buffer attach(MemoryObject object, int access) {
    return memory.attach(object, access);
  }

  @Override
  public Program load(ProgramSource source) {
    return audited(
        "program.load",
        String.valueOf(source),
        () -> programs.load(source),
        program -> Ids.text(program.id()));
  }

  @Override
  public Timeline timeline() {
    return seat.queue().timeline;
  }

  @Override
  public CommandWriter writer() {
    return path.claim();
  }

  @Override
  public long submit(CommandWriter writer) {
    return path.submit(writer);
  }

  @Override
  public int status(long point) {
    return seat.status(point);
  }

  @Override
  public CompletionStatus outcome(long point) {
    return seat.outcome(point);
  }

  @Override
  public int await(long point, long timeoutNs) {
    return Awaiting.await(seat, point, timeoutNs);
  }

  @Override
  public int awaitUsable(long timeoutNs) {
    return seat.awaitUsable(timeoutNs);
  }

  @Override
  public Optional<WorkError> error(long point) {
    return DriverErrors.of(seat, point);
  }

  @Override
  public void listen(CompletionListener listener, Executor executor) {
    path.notifier(this).listen(listener, executor);
  }

  @Override
  public int defer(Runnable task) {
    return seat.place().callbacks().defer(seat, task);
  }

  @Override
  public CompletableFuture<Completion> submitAsync(CommandWriter writer) {
    return path.submitAsync(this, writer);
  }

  @Override
  public int interruptions() {
    return seat.interruptions();
  }

  @Override
  public ContextInfo info() {
    return seat.info(memory.budget());
  }

  @Override
  public PerfCounters counters() {
    checkUsable();
    DevicePlace place = seat.place();
    place.capabilities().check(seat.capability(), Permission.ACCEL_PERF, place.deviceId());
    OpenDevice device = seat.device();
    ComputeReports reports =
        device
            .reports()
            .orElseThrow(
                () ->
                    new AccelException(
                        Errno.ENOTSUP, place.deviceId() + ": the device has no counters"));
    ComputeReports.PerfCounters read =
        device.lane().call("read counters", () -> reports.counters(seat.id()));
    return new PerfCounters(
        read.cyclesExecuted(),
        read.bytesRead(),
        read.bytesWritten(),
        read.kernelCount(),
        read.pageFaults(),
        read.memoryStallNs(),
        read.executionNs(),
        read.vendor());
  }

  @Override
  public void close() {
    seat.place().closeContext(this);
  }

  private <T> T audited(
      String action, String detail, Supplier<T> call, Function<T, String> object) {
    AccelAudit audit = seat.place().audit();
    return audit.recorded(
        audit
            .tenant(action, seat.capability(), seat.place().deviceId())
            .detail(seat.spec().name() + ": " + detail),
        call,
        object);
  }

  @Override
  public ContextSeat seat() {
    return seat;
  }

  SubmissionPath path() {
    return path;
  }

  @Override
  public ContextMemory memory() {
    return memory;
  }

  ContextPrograms programs() {
    return programs;
  }

  /** A further device's timeline is waited for. */
  void watch(FenceSource source) {
    source.watch(seat.place().bell());
  }

  boolean usable() {
    return seat.usable();
  }

  /**
   * @throws AccelException EINTR, ENODEV or ECLOSED
   */
  void checkUsable() {
    seat.checkUsable();
  }

  boolean lockWriter() {
    return path.lock();
  }

  void unlockWriter() {
    path.unlock();
  }

  void unload(LoadedProgram program) {
    programs.unload(program);
  }
}
