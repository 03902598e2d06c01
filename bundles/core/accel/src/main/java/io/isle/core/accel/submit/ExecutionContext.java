package io.isle.core.accel.submit;

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
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.admission.Member;
import io.isle.core.accel.agent.ServedContext;
import io.isle.core.accel.context.ContextMemory;
import io.isle.core.accel.context.ContextPrograms;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.group.MemoryLedger;
import io.isle.core.accel.queue.Awaiting;
import io.isle.core.accel.queue.DriverErrors;
import io.isle.core.accel.usage.Tally;
import io.isle.core.accel.usage.WaitTimes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/** A tenant's context: the face of a {@link SubmissionPath}, its memory and its programs. */
public final class ExecutionContext implements Context, ServedContext, Member {
  private static final System.Logger LOG = System.getLogger(ExecutionContext.class.getName());

  private final Accelerator accelerator;
  private final ContextHome home;
  private final CoreServices core;
  private final ContextRecord record;
  final SubmissionPath path;
  private final ContextMemory memory;
  private final ContextPrograms programs;

  /**
   * @param home where it was opened, which ends it
   * @param ledger device memory by group
   */
  public ExecutionContext(
      Accelerator accelerator,
      ContextHome home,
      ContextRecord record,
      CoreServices core,
      MemoryLedger ledger) {
    this.accelerator = accelerator;
    this.home = home;
    this.core = core;
    this.record = record;
    this.path = new SubmissionPath(record, core);
    this.memory = new ContextMemory(record, path, core, ledger);
    this.programs = new ContextPrograms(record, path, core);
  }

  @Override
  public long id() {
    return record.id();
  }

  @Override
  public Accelerator accelerator() {
    return accelerator;
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
    return record.queue().timeline;
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
    return record.status(point);
  }

  @Override
  public CompletionStatus outcome(long point) {
    return record.outcome(point);
  }

  @Override
  public int await(long point, long timeoutNs) {
    return Awaiting.await(record, point, timeoutNs);
  }

  @Override
  public int awaitUsable(long timeoutNs) {
    return record.awaitUsable(timeoutNs);
  }

  @Override
  public Optional<WorkError> error(long point) {
    return DriverErrors.of(record, point);
  }

  @Override
  public void listen(CompletionListener listener, Executor executor) {
    path.notifier(this).listen(listener, executor);
  }

  @Override
  public int defer(Runnable task) {
    return record.services().callbacks().defer(record, task);
  }

  @Override
  public CompletableFuture<Completion> submitAsync(CommandWriter writer) {
    return path.submitAsync(this, writer);
  }

  @Override
  public int interruptions() {
    return record.interruptions();
  }

  @Override
  public ContextInfo info() {
    return record.info(memory.budget());
  }

  @Override
  public PerfCounters counters() {
    checkUsable();
    String deviceId = record.services().deviceId();
    core.capabilities().check(record.capability(), Permission.ACCEL_PERF, deviceId);
    OpenDevice device = record.device();
    ComputeReports reports =
        device
            .reports()
            .orElseThrow(
                () ->
                    new AccelException(
                        Errno.ENOTSUP, deviceId + ": the device has no performance counters"));
    ComputeReports.PerfCounters read =
        device.lane().call("read counters", () -> reports.counters(record.id()));
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
    home.close(this);
  }

  /** Closes one of several: it is over even if its device did not answer. */
  public void closeAnyway() {
    try {
      close();
    } catch (AccelException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "closing context {0}: {1}",
          record.spec().name(),
          e.getMessage());
    }
  }

  private <T> T audited(
      String action, String detail, Supplier<T> call, Function<T, String> object) {
    AuditTrail audit = core.audit();
    return audit.recorded(
        AuditTrail.tenant(
                action,
                record.capability().tenant(),
                record.capability().id(),
                record.services().deviceId())
            .detail(record.spec().name() + ": " + detail),
        call,
        object);
  }

  @Override
  public ContextRecord record() {
    return record;
  }

  /**
   * Takes its writer for good, so that its range of commands can be another's.
   *
   * @return false when a thread keeps the writer and may still write there
   */
  public boolean retire() {
    return path.retire();
  }

  /** As {@link #retire}, but waits for no other thread. */
  public boolean retireNow() {
    return path.retireNow();
  }

  @Override
  public ContextMemory memory() {
    return memory;
  }

  public ContextPrograms programs() {
    return programs;
  }

  public boolean usable() {
    return record.usable();
  }

  /** Its device is being taken away. */
  public void interrupt() {
    record.interrupt();
    memory.endPins();
  }

  /** It was made anew on a device that went again. */
  public void unbind() {
    record.unbind();
    memory.endPins();
  }

  /**
   * @throws AccelException EINTR, ENODEV or ECLOSED
   */
  void checkUsable() {
    record.checkUsable();
  }

  @Override
  public Tally.Counts counts() {
    return record.counts();
  }

  @Override
  public WaitTimes waits() {
    return record.queue().waits;
  }

  @Override
  public long pending() {
    return record.pending();
  }

  @Override
  public long running() {
    return record.queue().log.running();
  }

  @Override
  public Runnable evict(String why) {
    return home.evict(this, why);
  }
}
