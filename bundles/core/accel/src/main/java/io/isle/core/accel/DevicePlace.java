package io.isle.core.accel;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.device.FailureReport;
import io.isle.core.accel.device.GroupDevices;
import io.isle.core.accel.device.Occupancy;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.display.PlaceDisplay;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceRegistry;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.ids.CoreIds;
import io.isle.core.accel.memory.SharedMemory;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.PlaceCallbacks;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.settings.SchedulingChoice;
import io.isle.lib.agent.AgentHost;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A device's place in the core: its engine, its contexts, and the device itself while open. */
final class DevicePlace {
  private final String deviceId;
  private final SharedMemory shared = new SharedMemory();
  private final DeviceEngine engine;
  private final Capabilities capabilities;
  private final GroupMembers members;
  private final CoreIds ids;
  private final AccelAudit audit;
  private final MonotonicClock clock;
  private final FenceRegistry fences;
  private final FenceDevice fence;
  private final Occupancy occupancy;
  private final PlaceContexts contexts;
  private final LiveJournal journal;
  private final PlaceDisplay display;
  private final DevicePlug plug;
  private final PlaceCallbacks callbacks;
  private final GroupDevices groups;
  private final WorkErrorBook workErrors;

  /**
   * @param background for what agents have no time for
   * @param detached called when the owner of drivers lets go
   * @param closed called once the place is gone
   */
  DevicePlace(
      String deviceId,
      AgentHost host,
      Supplier<AccelLimits> limits,
      Capabilities capabilities,
      GroupMembers members,
      CoreIds ids,
      MonotonicClock clock,
      AccelAudit audit,
      FenceRegistry fences,
      Executor background,
      Runnable detached,
      Runnable closed) {
    this.deviceId = deviceId;
    this.capabilities = capabilities;
    this.members = members;
    this.ids = ids;
    this.audit = audit;
    this.clock = clock;
    this.fences = fences;
    this.fence = fences.device(deviceId);
    occupancy = new Occupancy(deviceId);
    display = new PlaceDisplay(deviceId, occupancy, ids.framebuffers());
    FailureReport failures = new FailureReport(deviceId);
    callbacks = new PlaceCallbacks(deviceId, limits, clock);
    groups = new GroupDevices(deviceId, limits);
    workErrors = new WorkErrorBook(deviceId, audit);
    boolean started = false;
    try {
      engine =
          new DeviceEngine(
              deviceId,
              shared,
              host,
              limits,
              clock,
              fence,
              this::find,
              failures::failed,
              groups::failed,
              background,
              workErrors);
      started = true;
    } finally {
      if (!started) {
        shared.close();
        fences.forget(fence);
      }
    }
    journal = new LiveJournal(deviceId, engine, clock);
    contexts = new PlaceContexts(this, engine, shared.commands().memory().byteSize(), limits);
    plug = new DevicePlug(this, shared, engine, contexts, limits, failures, detached, closed);
  }

  /** As the owner of drivers has it. */
  DevicePlug plug() {
    return plug;
  }

  /** Opens a context; see {@link Accelerator#open}. */
  ExecutionContext openContext(Accelerator accelerator, Capability capability, ContextSpec spec) {
    return audit.recorded(
        audit.tenant("context.open", capability, deviceId).detail(String.valueOf(spec.name())),
        () -> {
          OpenDevice device = occupancy.device();
          ContextRules.check(spec, deviceId, device.info(), capability, capabilities);
          Membership membership = members.admit(deviceId, spec, capability);
          boolean opened = false;
          try {
            ExecutionContext context = contexts.open(device, accelerator, membership);
            opened = true;
            return context;
          } finally {
            if (!opened) {
              membership.leave();
            }
          }
        },
        context -> Ids.text(context.id()));
  }

  void closeContextAnyway(ExecutionContext context) {
    contexts.closeAnyway(context);
  }

  void closeContext(ExecutionContext context) {
    contexts.close(context);
  }

  /** Ends a context whose tenant did not; see {@link PlaceContexts#evict}. */
  Runnable evictContext(ExecutionContext context, String why) {
    return contexts.evict(context, why);
  }

  /** Which device is here. */
  Occupancy occupancy() {
    return occupancy;
  }

  /** Who tells tenants of completions, and runs what they defer. */
  PlaceCallbacks callbacks() {
    return callbacks;
  }

  /** The processes of groups on the device, where they have their own. */
  GroupDevices groups() {
    return groups;
  }

  /** Work that ended with an error of its driver. */
  WorkErrorBook workErrors() {
    return workErrors;
  }

  /** Its screens; without a display every call is refused. */
  PlaceDisplay display() {
    return display;
  }

  /** From now on so many submissions may be on the device. */
  void limitInFlight(int most) {
    engine.limitInFlight(most);
  }

  /** These groups from now on. */
  void schedule(AccelGroups groups) {
    engine.schedule(groups);
  }

  /** The administrator's choice from now on. */
  void schedule(SchedulingChoice choice) {
    engine.schedule(choice);
  }

  /** The policy in force. */
  SchedulingPolicy policy() {
    return engine.policy();
  }

  /** What its scheduler is told and decides. */
  LiveJournal journal() {
    return journal;
  }

  /** Its data plane. */
  DeviceEngine engine() {
    return engine;
  }

  boolean isPaused() {
    return engine.isPaused();
  }

  private Optional<ExecutionContext> find(long id) {
    return contexts.list().stream().filter(context -> context.id() == id).findFirst();
  }

  List<ExecutionContext> contexts() {
    return contexts.list();
  }

  String deviceId() {
    return deviceId;
  }

  MemorySegment commandMemory() {
    return shared.commands().memory();
  }

  Bell bell() {
    return engine.bell();
  }

  Capabilities capabilities() {
    return capabilities;
  }

  AccelAudit audit() {
    return audit;
  }

  /** Timelines and devices of the node, as far as fences go. */
  FenceRegistry fences() {
    return fences;
  }

  /** This device's part in fences. */
  FenceDevice fence() {
    return fence;
  }

  MonotonicClock clock() {
    return clock;
  }

  CoreIds ids() {
    return ids;
  }

  /** Closes every context, as {@link ExecutionContext#close} does. */
  void closeContexts() {
    contexts.closeAll();
  }
}
