package io.isle.core.accel.managed;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Ids;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.admission.ContextRules;
import io.isle.core.accel.admission.GroupMembers;
import io.isle.core.accel.admission.Membership;
import io.isle.core.accel.agent.DeviceAgent;
import io.isle.core.accel.audit.WorkErrorBook;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.context.DeviceServices;
import io.isle.core.accel.device.CurrentOpening;
import io.isle.core.accel.device.FailureReport;
import io.isle.core.accel.device.GroupDevices;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.memory.SharedMemory;
import io.isle.core.accel.queue.CallbackThreads;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import io.isle.core.accel.submit.ExecutionContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A device as the core manages it, over all openings: its engine, its contexts, and the open device
 * while there is one.
 */
public final class ManagedDevice {
  private final DeviceServices services;
  private final CoreServices core;
  private final GroupMembers members;
  private final DeviceOpenings openings;
  private final DeviceEngine engine;
  private final DeviceContexts contexts;
  private final LiveJournal journal;
  private final DeviceAttachment attachment;
  private final WorkErrorBook workErrors;

  public ManagedDevice(
      String deviceId,
      CoreServices core,
      GroupMembers members,
      DeviceEngine.Workers workers,
      Supplier<AccelLimits> limits,
      DeviceAttachment.Ending ending) {
    this.core = core;
    this.members = members;
    SharedMemory shared = new SharedMemory();
    FenceDevice fence = core.fences().device(deviceId);
    FailureReport failures =
        new FailureReport(
            deviceId, work -> Thread.ofVirtual().name("isle-failure-" + deviceId).start(work));
    workErrors = new WorkErrorBook(deviceId, core.audit());
    openings =
        new DeviceOpenings(deviceId, new CurrentOpening(deviceId), new GroupDevices(deviceId));
    engine = started(fence, shared, workers, limits, failures);
    services =
        new DeviceServices(
            deviceId,
            openings.currentOpening(),
            engine.shared().commands().memory(),
            engine.bell(),
            fence,
            new CallbackThreads(deviceId, limits, core.clock()));
    journal = new LiveJournal(deviceId, engine, core.clock());
    ContextRecords records = new ContextRecords(services, core, members.accounts().memory());
    contexts = new DeviceContexts(openings, engine, records, members, core.audit(), limits);
    attachment =
        new DeviceAttachment(
            openings,
            services,
            engine,
            new DeviceRecovery(openings, engine, contexts, limits),
            new GroupRecovery(openings, engine, contexts),
            failures,
            new DeviceAttachment.Ending(ending.detached(), () -> forget(ending.closed())));
  }

  private DeviceEngine started(
      FenceDevice fence,
      SharedMemory shared,
      DeviceEngine.Workers workers,
      Supplier<AccelLimits> limits,
      FailureReport failures) {
    DeviceAgent.Listeners listeners =
        new DeviceAgent.Listeners(failures::failed, openings.groups()::failed, workErrors);
    boolean started = false;
    try {
      DeviceEngine made =
          new DeviceEngine(fence, shared, workers, limits, core.clock(), this::find, listeners);
      started = true;
      return made;
    } finally {
      if (!started) {
        shared.close();
        core.fences().forget(fence);
      }
    }
  }

  private void forget(Runnable closed) {
    core.fences().forget(services.fence());
    closed.run();
  }

  /** The side that the owner of drivers uses. */
  public DeviceAttachment attachment() {
    return attachment;
  }

  /** Opens a context; see {@link Accelerator#open}. */
  public ExecutionContext openContext(
      Accelerator accelerator, Capability capability, ContextSpec spec) {
    AuditTrail audit = core.audit();
    String deviceId = deviceId();
    return audit.recorded(
        AuditTrail.tenant("context.open", capability.tenant(), capability.id(), deviceId)
            .detail(String.valueOf(spec.name())),
        () -> {
          OpenDevice device = currentOpening().device();
          ContextRules.check(spec, deviceId, device.info(), capability, core.capabilities());
          Membership membership = members.admit(deviceId, spec, capability);
          boolean opened = false;
          try {
            ExecutionContext context = contexts.open(device, accelerator, membership);
            opened = true;
            return context;
          } finally {
            if (!opened) {
              members.leave(membership);
            }
          }
        },
        context -> Ids.text(context.id()));
  }

  /** The opening that the device has now. */
  public CurrentOpening currentOpening() {
    return openings.currentOpening();
  }

  /** Work that ended with an error of its driver. */
  public WorkErrorBook workErrors() {
    return workErrors;
  }

  /** From now on so many submissions may be on the device. */
  public void limitInFlight(int most) {
    engine.limitInFlight(most);
  }

  /** These groups from now on. */
  public void schedule(AccelGroups groups) {
    engine.schedule(groups);
  }

  /** The administrator's choice from now on. */
  public void schedule(SchedulingChoice choice) {
    engine.schedule(choice);
  }

  /** The policy in force. */
  public SchedulingPolicy policy() {
    return engine.policy();
  }

  /** What its scheduler is told and decides. */
  public LiveJournal journal() {
    return journal;
  }

  /** Its data plane. */
  DeviceEngine engine() {
    return engine;
  }

  private Optional<ExecutionContext> find(long id) {
    return contexts.list().stream().filter(context -> context.id() == id).findFirst();
  }

  public List<ExecutionContext> contexts() {
    return contexts.list();
  }

  public String deviceId() {
    return openings.deviceId();
  }

  /** This device's part in fences. */
  FenceDevice fence() {
    return services.fence();
  }

  /** Closes every context, as {@link ExecutionContext#close} does. */
  public void closeContexts() {
    contexts.closeAll();
  }
}
