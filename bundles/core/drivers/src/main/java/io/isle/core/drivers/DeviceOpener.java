package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.core.drivers.RecoverySequence.Surroundings;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a device, and opens it again after whatever befell it, until it is open or given up.
 * Belongs to the device's lane, on which it also comes back after delays.
 */
final class DeviceOpener {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceOpener.class);

  private static final RecoveryCause CAME_BACK =
      new RecoveryCause(Kind.SERVICE, "the driver service came back");

  private final String id;
  private final SerialLane lane;
  private final Shared shared;
  private final Consumer<DeviceReport> reports;
  private final Runnable settled;
  private final StandbyKeeper standby;
  private final Openings openings;
  private final RecoverySequence sequence;
  private final Supervision machine;
  private DeviceSpec wanted;
  private OpeningPlan plan;
  private DevicePort port;
  private RecoveryRun run;
  private ScheduledFuture<?> retry;
  // Not opened yet by this service, but before: contexts may have waited for it.
  private boolean returning;
  private String trouble = "";
  private volatile String fallback = "";

  /** What all devices share. */
  record Shared(
      Surroundings around,
      RecoveryBook book,
      Departures departures,
      MonotonicClock clock,
      Consumer<Recovery> ended) {}

  /**
   * @param port where it is plugged in; null while there is none
   * @param epoch how often the device was opened before
   * @param settled runs when the device is no longer on its way
   */
  DeviceOpener(
      String id,
      DevicePort port,
      int epoch,
      SerialLane lane,
      Shared shared,
      Consumer<DeviceReport> reports,
      Runnable settled) {
    this.id = id;
    this.port = port;
    this.lane = lane;
    this.shared = shared;
    this.reports = reports;
    this.settled = settled;
    this.returning = epoch > 0;
    this.standby =
        new StandbyKeeper(
            id,
            shared.around.background(),
            StandbyKeeper.PATIENCE,
            () -> {
              boolean ignored = lane.post(this::report);
            });
    this.openings = new Openings(epoch, this::lost);
    this.sequence = new RecoverySequence(id, openings, standby, shared.around);
    this.machine = new Supervision(shared.around.tuning().get().supervision(), new Random());
  }

  DeviceState state() {
    return machine.state();
  }

  boolean isOpen() {
    return sequence.opened().isPresent();
  }

  /** Whether it is neither open nor given up. */
  boolean isOnItsWay() {
    return retry != null;
  }

  boolean wants(DeviceSpec spec) {
    return spec.equals(wanted);
  }

  /** What shall be open, and by whom; true if that is another version than before. */
  boolean want(DriverHandle driver, DeviceSpec spec) {
    wanted = spec;
    if (plan != null && plan.driver() == driver) {
      return false;
    }
    boolean another = plan != null;
    plan = new OpeningPlan(driver);
    // it has the library of the version before
    standby.drop();
    return another;
  }

  DevicePort port() {
    return port;
  }

  /** See {@link DeviceSupervisor#fallback}. Any thread. */
  String fallback() {
    return fallback;
  }

  /** Takes it out where it is open, and opens it as is wanted. */
  void reopen(RecoveryCause cause, boolean first, boolean forgiven) {
    cancelRetry();
    if (!wanted.enabled()) {
      disable();
      return;
    }
    if (port == null) {
      machine.closed(DeviceState.FAILED);
      trouble = "the accelerator core is not running";
      report();
      return;
    }
    Optional<Departures.Departure> departure = shared.departures.take(id);
    if (departure.map(Departures.Departure::suspended).orElse(false)) {
      machine.suspend();
    }
    if (run == null) {
      RecoveryCause why = first && returning ? CAME_BACK : cause;
      run = departure.map(Departures.Departure::run).orElseGet(() -> run(why, first && !isOpen()));
    }
    returning = false;
    machine.begin(forgiven);
    report();
    sequence.takeOut(run, true);
    plan.choose(wanted);
    attempt();
  }

  /** The funnel of all causes; any thread. Late ones, of openings that are over, change nothing. */
  private void lost(int opening, RecoveryCause cause) {
    long detected = shared.clock.nanoTime();
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
    Supervision.Next next = machine.lost(shared.clock.nanoTime(), cause);
    run = new RecoveryRun(id, false, cause, openings.newest(), detectedNs, shared.clock);
    report();
    sequence.takeOut(run, false);
    follow(next, cause.text());
  }

  private RecoveryRun run(RecoveryCause cause, boolean first) {
    return new RecoveryRun(
        id, first, cause, openings.newest(), shared.clock.nanoTime(), shared.clock);
  }

  private void attempt() {
    retry = null;
    OpeningPlan.Way way = plan.current();
    try {
      sequence.plugInto(port);
      sequence.bringIn(run, way.driver(), way.spec(), machine.suspended());
    } catch (RuntimeException | Error e) {
      failed(openings.saidOfNewest().map(AttemptFailure::of).orElseGet(() -> AttemptFailure.of(e)));
      return;
    }
    machine.opened();
    trouble = way.note();
    fallback = plan.isFallback() ? trouble : "";
    plan.worked();
    end(Recovery.Outcome.RECOVERED);
    report();
    keepStandby();
    settled.run();
  }

  private void failed(AttemptFailure failure) {
    RecoveryCause cause = failure.cause();
    LOG.warn("{}: cannot be opened: {}", id, cause.text(), failure.defect());
    boolean lasting = failure.refused() && run.cause().kind().orderly();
    follow(machine.attemptFailed(shared.clock.nanoTime(), cause, lasting), cause.text());
  }

  private void follow(Supervision.Next next, String why) {
    switch (next) {
      case Supervision.Next.Open(long delay) when delay == 0 -> attempt();
      case Supervision.Next.Open(long delay) -> {
        trouble = why + "; trying again";
        retry = lane.after(delay, this::attempt);
        report();
      }
      case Supervision.Next.GiveUp() -> giveUp(why);
    }
  }

  private void giveUp(String why) {
    boolean quarantined = machine.state() == DeviceState.QUARANTINED;
    if (!quarantined && plan.next(why)) {
      LOG.warn("{}: {}", id, plan.current().note());
      machine.begin(false);
      attempt();
      return;
    }
    trouble = why + "; run 'driver:reload " + id + "'";
    sequence.lose(trouble);
    standby.drop();
    end(quarantined ? Recovery.Outcome.QUARANTINED : Recovery.Outcome.FAILED);
    report();
    settled.run();
  }

  private void end(Recovery.Outcome outcome) {
    if (run.isRecovery()) {
      RecoveryRun ended = run;
      Recovery recovery =
          shared.book.enter(id, number -> ended.end(number, outcome, openings.newest()));
      LOG.info("{}: {}", id, RecoveryText.line(recovery));
      shared.ended.accept(recovery);
    }
    run = null;
  }

  /** Stops what runs on the device, until {@link #resume}. Only while it is ACTIVE. */
  void suspend() {
    machine.suspend();
    sequence.suspend();
    report();
  }

  void resume() {
    sequence.resume();
    machine.resume();
    report();
  }

  /** Harms the driver's process, where the device's settings allow that. */
  void injectFault(HostFault fault) {
    OpenedDevice open =
        sequence
            .opened()
            .orElseThrow(
                () ->
                    new DriverException(
                        Errno.ENODEV, id + " is " + machine.state().text() + ", not open"));
    if (open.device().extension(FaultInjection.class).isEmpty()) {
      throw new DriverException(Errno.ENOTSUP, "the settings of " + id + " allow no faults");
    }
    open.injectFault(fault);
  }

  void disable() {
    close(new RecoveryCause(Kind.SETTINGS, "it was disabled"));
    sequence.lose("it was disabled");
    machine.closed(DeviceState.DISABLED);
    trouble = "";
    report();
  }

  /** Another place to plug into, or none (null). */
  void port(DevicePort now) {
    close(new RecoveryCause(Kind.SERVICE, "the accelerator core stopped"));
    sequence.unplug();
    port = now;
    if (wanted != null && machine.state() != DeviceState.DISABLED) {
      reopen(new RecoveryCause(Kind.SERVICE, "the accelerator core came"), true, false);
    }
  }

  /** Takes it out for good; contexts wait for the next driver. */
  void leave(RecoveryCause cause) {
    cancelRetry();
    if (run == null && isOpen()) {
      run = run(cause, false);
    }
    if (run != null) {
      sequence.takeOut(run, true);
      shared.departures.leave(id, new Departures.Departure(run, machine.suspended()));
    }
    standby.drop();
    sequence.detach(cause.text());
  }

  /** Takes it out for good, and its place with it. */
  void remove(RecoveryCause cause) {
    close(cause);
    sequence.unplug();
  }

  private void close(RecoveryCause cause) {
    cancelRetry();
    sequence.takeOut(run(cause, true), false);
    run = null;
    standby.drop();
  }

  private void cancelRetry() {
    if (retry != null) {
      retry.cancel(false);
      retry = null;
    }
  }

  /** Takes new settings of the service. */
  void tuned() {
    machine.limits(shared.around.tuning().get().supervision());
    keepStandby();
    report();
  }

  private void keepStandby() {
    if (!shared.around.tuning().get().standby()) {
      standby.drop();
    } else if (isOpen() && plan.current().spec().tier() == 2) {
      standby.want(sequence.standbySource(plan.current().driver(), plan.current().spec()));
    }
  }

  private void report() {
    Optional<OpenedDevice> open = sequence.opened();
    reports.accept(
        new DeviceReport(
            id,
            machine.state(),
            trouble,
            openings.newest(),
            open.flatMap(OpenedDevice::hostPid),
            standby.pid(),
            open.map(device -> device.device().info()),
            open.map(OpenedDevice::services).orElse(java.util.List.of()),
            open.map(OpenedDevice::interfaces).orElse(java.util.List.of()),
            open.map(OpenedDevice::sandbox).orElse(java.util.List.of())));
  }
}
