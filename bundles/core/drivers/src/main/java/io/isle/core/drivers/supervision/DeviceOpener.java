package io.isle.core.drivers.supervision;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.groups.GroupedOpened;
import io.isle.core.drivers.recovery.BoundedParticipant;
import io.isle.core.drivers.recovery.Openings;
import io.isle.core.drivers.recovery.OwnedDevice;
import io.isle.core.drivers.recovery.RecoveryRun;
import io.isle.core.drivers.recovery.RecoverySequence;
import io.isle.core.drivers.recovery.StandbyKeeper;
import io.isle.core.drivers.recovery.Supervision;
import io.isle.lib.agent.SerialExecutor;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a device, and opens it again after whatever befell it, until it is open or given up.
 * Belongs to the device's lane, on which it also comes back after delays.
 */
public final class DeviceOpener {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceOpener.class);

  private static final RecoveryCause CAME_BACK =
      new RecoveryCause(Kind.SERVICE, "the driver service restarted");

  private final String id;
  private final SharedParts shared;
  private final SerialExecutor lane;
  private final StandbyKeeper standby;
  private final Openings openings;
  private final RecoverySequence sequence;
  private final GroupRecoveries groups;
  private final Supervision machine;
  private final OpeningPlan plan = new OpeningPlan();
  private final DeviceStatus status;
  private final Attempts attempts;
  private DeviceSpec wanted;
  // Not opened yet by this service, but before: contexts may have waited for it.
  private boolean returning;

  /**
   * @param port port that the device is attached to; null while there is none
   * @param epoch how often the device was opened before
   * @param settled runs when the device is no longer on its way
   */
  DeviceOpener(
      String id,
      DevicePort port,
      int epoch,
      SerialExecutor lane,
      SharedParts shared,
      Consumer<DeviceReport> reports,
      Runnable settled) {
    this.id = id;
    this.lane = lane;
    this.shared = shared;
    this.returning = epoch > 0;
    this.standby =
        new StandbyKeeper(
            id,
            shared.around().background(),
            StandbyKeeper.PATIENCE,
            () -> {
              boolean ignored = lane.post(this::report);
            });
    this.openings = new Openings(epoch, this::lost);
    this.groups = new GroupRecoveries(id, lane, shared, openings, this::groupsChanged);
    this.sequence = new RecoverySequence(id, openings, standby, shared.around(), groups);
    groups.of(sequence);
    this.machine = new Supervision(shared.around().tuning().get().supervision(), new Random());
    DeviceParts parts =
        new DeviceParts(id, lane, shared, openings, standby, sequence, machine, plan);
    this.status = new DeviceStatus(parts, reports);
    this.attempts =
        new Attempts(
            parts,
            port,
            status,
            () -> {
              try {
                keepStandby();
              } finally {
                settled.run();
              }
            });
  }

  DeviceState state() {
    return machine.state();
  }

  boolean isOpen() {
    return sequence.opened().isPresent();
  }

  /** Whether it is neither open nor given up. */
  boolean isOnItsWay() {
    return attempts.waiting();
  }

  boolean wants(DeviceSpec spec) {
    return spec.equals(wanted);
  }

  /** What shall be open, and by whom; true if that is another version than before. */
  boolean want(DriverHandle driver, DeviceSpec spec) {
    wanted = spec;
    DriverHandle before = plan.driver();
    if (before == driver) {
      return false;
    }
    plan.driver(driver);
    return before != null;
  }

  DevicePort port() {
    return attempts.port();
  }

  /** See {@link DeviceSupervisor#rollback}. Any thread. */
  String rollback() {
    return status.rollback();
  }

  /** Takes it out where it is open, and opens it as is wanted. */
  void reopen(RecoveryCause cause, boolean first, boolean forgiven) {
    attempts.cancel();
    if (!wanted.enabled()) {
      disable();
      return;
    }
    if (attempts.port() == null) {
      machine.closed(DeviceState.FAILED);
      status.report("the accelerator core is not running");
      return;
    }
    Optional<PendingHandovers.Handover> handover = shared.handovers().take(id);
    if (handover.map(PendingHandovers.Handover::suspended).orElse(false)) {
      machine.suspend();
    }
    if (attempts.run() == null) {
      RecoveryCause why = first && returning ? CAME_BACK : cause;
      attempts.belongTo(
          handover
              .flatMap(PendingHandovers.Handover::run)
              .orElseGet(() -> run(why, first && !isOpen())));
    }
    returning = false;
    machine.begin(forgiven);
    status.report();
    plan.choose(wanted);
    if (isOpen()) {
      loadNext();
    }
    sequence.takeOut(attempts.run(), true);
    attempts.attempt();
  }

  /** The funnel of all causes; any thread. Late ones, of openings that are over, change nothing. */
  private void lost(int opening, RecoveryCause cause) {
    long detected = shared.clock().nanoTime();
    boolean ignored =
        lane.post(
            () -> {
              if (sequence.isOpen(opening)) {
                recover(cause, detected);
              }
            });
  }

  private void recover(RecoveryCause cause, long detectedNs) {
    LOG.warn("{}: {}: {}", id, cause.kind().text(), cause.text());
    Supervision.Next next = machine.lost(shared.clock().nanoTime(), cause);
    RecoveryRun run =
        new RecoveryRun(id, false, cause, openings.newest(), detectedNs, shared.clock());
    attempts.belongTo(run);
    status.report();
    sequence.takeOut(run, false);
    attempts.follow(next, cause.text());
  }

  private RecoveryRun run(RecoveryCause cause, boolean first) {
    return new RecoveryRun(
        id, first, cause, openings.newest(), shared.clock().nanoTime(), shared.clock());
  }

  /** Stops what runs on the device, until {@link #resume}. Only while it is ACTIVE. */
  void suspend() {
    sequence.suspend();
    machine.suspend();
    status.report();
  }

  boolean isSuspended() {
    return machine.suspended();
  }

  /** Ends {@link #suspend}; one that is not open comes back active. */
  void resume() {
    if (isOpen()) {
      sequence.resume();
    }
    machine.resume();
    status.report();
  }

  /** Harms the driver's process, where the device's settings allow that. */
  void injectFault(HostFault fault) {
    harmable()
        .process()
        .orElseThrow(
            () ->
                new DriverException(
                    Errno.ENOTSUP,
                    "the driver has no separate process, which only tier 2 gives; set tier=2"))
        .injectFault(fault);
  }

  /** As {@link #injectFault(HostFault)}, of a group's process. */
  void injectFault(String group, HostFault fault) {
    GroupedOpened.of(harmable())
        .orElseThrow(
            () ->
                new DriverException(
                    Errno.ENOENT,
                    "group "
                        + group
                        + " has no separate driver process, because the isolation of"
                        + " the device is shared"))
        .process(group)
        .injectFault(fault);
  }

  private OpenedDevice harmable() {
    OwnedDevice open =
        sequence
            .opened()
            .orElseThrow(
                () ->
                    new DriverException(
                        Errno.ENODEV, id + " is " + machine.state().text() + ", not open"));
    if (!open.session().has(FaultInjection.class)) {
      throw new DriverException(
          Errno.ENOTSUP, "the settings of " + id + " forbid faults; set fault_injection=true");
    }
    return open.opened();
  }

  void disable() {
    shared.handovers().drop(id);
    close(new RecoveryCause(Kind.SETTINGS, "the device was disabled"));
    sequence.lose("the device was disabled");
    machine.closed(DeviceState.DISABLED);
    status.report("");
  }

  /** Another port to attach the device to; null for none. */
  void port(DevicePort now) {
    close(new RecoveryCause(Kind.SERVICE, "the accelerator core stopped"));
    standby.awaitStarts();
    sequence.closeAttachment();
    attempts.port(now);
    if (wanted != null && machine.state() != DeviceState.DISABLED) {
      reopen(new RecoveryCause(Kind.SERVICE, "the accelerator core started"), true, false);
    }
  }

  /** Takes it out for good; contexts wait for the next driver. */
  void leave(RecoveryCause cause) {
    attempts.cancel();
    if (attempts.run() == null && isOpen()) {
      attempts.belongTo(run(cause, false));
    }
    RecoveryRun run = attempts.run();
    if (run != null) {
      sequence.takeOut(run, true);
    }
    if (run != null || machine.suspended()) {
      shared
          .handovers()
          .leave(id, new PendingHandovers.Handover(Optional.ofNullable(run), machine.suspended()));
    }
    standby.drop();
    standby.awaitStarts();
    sequence.detach(cause.text());
    sequence.forget();
  }

  /** Takes the device out for good, and ends its attachment. */
  void remove(RecoveryCause cause) {
    shared.handovers().drop(id);
    close(cause);
    standby.awaitStarts();
    sequence.closeAttachment();
    sequence.forget();
  }

  private void close(RecoveryCause cause) {
    attempts.cancel();
    sequence.takeOut(run(cause, false), false);
    attempts.belongTo(null);
    standby.drop();
  }

  /** Takes new settings of the service. */
  void tuned() {
    machine.limits(shared.around().tuning().get().supervision());
    keepStandby();
    status.report();
  }

  /** One that takes part in recoveries has come. */
  void join(BoundedParticipant bounded) {
    sequence.join(bounded);
  }

  private void report() {
    status.report();
  }

  /** Processes of groups came, perhaps from the standby, or went. */
  private void groupsChanged() {
    keepStandby();
    status.report();
  }

  private void keepStandby() {
    if (!shared.around().tuning().get().standby()) {
      standby.drop();
    } else if (isOpen() && plan.spec().tier() == 2) {
      loadNext();
    }
  }

  /** What opens the device next is loaded while the device still works, or leaves its driver. */
  private void loadNext() {
    DriverHandle version = plan.version();
    DeviceSpec spec = plan.spec();
    standby.want(version, spec.tier(), sequence.standbySource(version, spec));
  }
}
