package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.RecoverySequence.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one device open: does what administrators ask for, and recovers the device from whatever
 * befalls its driver. All of it runs on a thread of the device's own, one thing after the other, so
 * that no device waits for another. Thread-safe: requests return futures that end when the device
 * is no longer on its way.
 */
final class DeviceSupervisor {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceSupervisor.class);

  private final String id;
  private final Shared shared;
  private final Consumer<DeviceReport> reports;
  private final SerialLane lane;
  private final StandbyKeeper standby;
  private final RecoverySequence sequence;
  private final Supervision machine;
  // All of what follows belongs to the lane.
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private final OpeningPlan plan;
  private DeviceSpec wanted;
  private DevicePort port;
  private RecoveryRun run;
  private ScheduledFuture<?> retry;
  private String trouble = "";
  private volatile String fallback = "";

  /** What all devices share. */
  record Shared(
      Surroundings around, RecoveryBook book, Departures departures, MonotonicClock clock) {}

  /**
   * @param port where it is plugged in; null while there is none
   * @param epoch how often the device was opened before
   */
  DeviceSupervisor(
      String id,
      DriverHandle driver,
      DevicePort port,
      int epoch,
      Shared shared,
      Consumer<DeviceReport> reports) {
    this.id = id;
    this.plan = new OpeningPlan(driver);
    this.port = port;
    this.shared = shared;
    this.reports = reports;
    this.lane = new SerialLane("isle-device-" + id);
    this.standby = new StandbyKeeper(id, shared.around.background(), () -> lane.post(this::report));
    this.sequence = new RecoverySequence(id, epoch, standby, shared.around, this::lost);
    this.machine =
        new Supervision(shared.around.tuning().get().supervision(), new java.util.Random());
  }

  /** Brings the device to what {@code spec} says; reopens it if anything changed. */
  CompletableFuture<Void> apply(DeviceSpec spec) {
    return request(
        () -> {
          boolean same = spec.equals(wanted) && sequence.opened().isPresent();
          wanted = spec;
          if (!spec.enabled()) {
            disable();
          } else if (!same) {
            reopen(new RecoveryCause(Kind.SETTINGS, "its settings changed"), false, drain());
          }
        });
  }

  /** Closes in order and opens, whatever its state. */
  CompletableFuture<Void> reload(DeviceSpec spec) {
    return request(
        () -> {
          wanted = spec;
          reopen(new RecoveryCause(Kind.RELOAD, "an administrator asked for it"), true, drain());
        });
  }

  /** As after a crash. */
  CompletableFuture<Void> reset(DeviceSpec spec) {
    return request(
        () -> {
          wanted = spec;
          reopen(new RecoveryCause(Kind.RESET, "an administrator asked for it"), true, drain());
        });
  }

  /** Fails with ENODEV when it is not open. */
  CompletableFuture<Void> suspend() {
    return request(
        () -> {
          if (machine.state() == DeviceState.SUSPENDED) {
            return;
          }
          if (machine.state() != DeviceState.ACTIVE) {
            throw new DriverException(
                Errno.ENODEV, id + " is " + machine.state().text() + ", not open");
          }
          machine.suspend();
          if (sequence.suspend()) {
            report();
          } else {
            // pending work and contents stay; only what would not end is interrupted
            reopen(
                new RecoveryCause(Kind.RELOAD, "work did not end when it was suspended"),
                false,
                Duration.ZERO);
          }
        });
  }

  /** Fails with EINVAL when it is not suspended. */
  CompletableFuture<Void> resume() {
    return request(
        () -> {
          if (machine.state() != DeviceState.SUSPENDED) {
            throw new DriverException(Errno.EINVAL, id + " is not suspended");
          }
          sequence.resume();
          machine.resume();
          report();
        });
  }

  /** The place to plug into came or is about to go (null). */
  CompletableFuture<Void> port(DevicePort now) {
    return request(
        () -> {
          if (now == port) {
            return;
          }
          close(new RecoveryCause(Kind.SERVICE, "the accelerator core stopped"));
          sequence.unplug();
          port = now;
          if (wanted != null && machine.state() != DeviceState.DISABLED) {
            begin(
                new RecoveryCause(Kind.SERVICE, "the accelerator core came"), true, false, drain());
          }
        });
  }

  /** The driver goes; contexts wait for the next one. Nothing is done afterwards. */
  CompletableFuture<Void> depart(RecoveryCause cause) {
    return request(
            () -> {
              RecoveryRun leaving = run;
              if (leaving == null && sequence.opened().isPresent()) {
                leaving = run(cause, false);
              }
              cancelRetry();
              if (leaving != null) {
                sequence.takeOut(leaving, true, drain());
                shared.departures.leave(id, new Departures.Departure(leaving, machine.suspended()));
              }
              run = null;
              standby.drop();
              sequence.detach(cause.text());
            })
        .whenComplete((done, failure) -> lane.shutdown());
  }

  /** Closes it for good, and its contexts with it. Nothing is done afterwards. */
  CompletableFuture<Void> remove() {
    return request(
            () -> {
              close(new RecoveryCause(Kind.SETTINGS, "it was removed"));
              sequence.unplug();
            })
        .whenComplete((done, failure) -> lane.shutdown());
  }

  /** What runs in the place of the driver's own version, and why; empty if that one runs. */
  String fallback() {
    return fallback;
  }

  /** Takes new settings of the service. */
  void tuned() {
    lane.post(
        () -> {
          machine.limits(shared.around.tuning().get().supervision());
          keepStandby();
          report();
        });
  }

  private CompletableFuture<Void> request(Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    boolean taken =
        lane.post(
            () -> {
              try {
                work.run();
                waiting.add(done);
                settle();
              } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
              }
            });
    if (!taken) {
      done.completeExceptionally(new DriverException(Errno.ENODEV, id + " is going"));
    }
    return done;
  }

  private Duration drain() {
    return shared.around.tuning().get().drain();
  }

  /** Those who wait need not wait any longer, unless the device is on its way. */
  private void settle() {
    if (retry == null) {
      waiting.forEach(done -> done.complete(null));
      waiting.clear();
    }
  }

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
    run = new RecoveryRun(id, false, cause, sequence.epoch(), detectedNs, shared.clock);
    report();
    sequence.takeOut(run, false, Duration.ZERO);
    follow(next, cause.text());
  }

  private void reopen(RecoveryCause cause, boolean forgiven, Duration drain) {
    cancelRetry();
    boolean open = sequence.opened().isPresent();
    begin(cause, !open && cause.kind() == Kind.SETTINGS, forgiven, drain);
  }

  private void begin(RecoveryCause cause, boolean first, boolean forgiven, Duration drain) {
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
    if (run == null) {
      run = departure.map(Departures.Departure::run).orElseGet(() -> run(cause, first));
    }
    if (departure.map(Departures.Departure::suspended).orElse(false)) {
      machine.suspend();
    }
    machine.begin(forgiven);
    sequence.takeOut(run, true, drain);
    plan.choose(wanted);
    report();
    attempt();
  }

  private RecoveryRun run(RecoveryCause cause, boolean first) {
    return new RecoveryRun(
        id, first, cause, sequence.epoch(), shared.clock.nanoTime(), shared.clock);
  }

  private void attempt() {
    retry = null;
    OpeningPlan.Way way = plan.current();
    try {
      sequence.plugInto(port);
      sequence.bringIn(run, way.driver(), way.spec(), machine.suspended());
    } catch (RuntimeException e) {
      failed(sequence.saidOfNewest().map(AttemptFailure::of).orElseGet(() -> AttemptFailure.of(e)));
      return;
    }
    machine.opened();
    trouble = way.note();
    fallback = plan.isFallback() ? trouble : "";
    plan.worked();
    end(Recovery.Outcome.RECOVERED);
    report();
    keepStandby();
    settle();
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
    end(quarantined ? Recovery.Outcome.QUARANTINED : Recovery.Outcome.FAILED);
    report();
    settle();
  }

  private void end(Recovery.Outcome outcome) {
    if (!run.isFirst()) {
      RecoveryRun ended = run;
      Recovery recovery =
          shared.book.enter(id, number -> ended.end(number, outcome, sequence.epoch()));
      LOG.info("{}: {}", id, RecoveryText.line(recovery));
    }
    run = null;
  }

  private void keepStandby() {
    if (!shared.around.tuning().get().standby()) {
      standby.drop();
    } else if (sequence.opened().isPresent()) {
      standby.want(sequence.standbySource(plan.current().driver(), plan.current().spec()));
    }
  }

  private void disable() {
    close(new RecoveryCause(Kind.SETTINGS, "it was disabled"));
    sequence.lose("it was disabled");
    machine.closed(DeviceState.DISABLED);
    trouble = "";
    report();
  }

  /** Takes the device out, with nothing to follow. */
  private void close(RecoveryCause cause) {
    cancelRetry();
    sequence.takeOut(run(cause, true), false, drain());
    run = null;
    standby.drop();
  }

  private void cancelRetry() {
    if (retry != null) {
      retry.cancel(false);
      retry = null;
    }
  }

  private void report() {
    Optional<OpenedDevice> open = sequence.opened();
    reports.accept(
        new DeviceReport(
            id,
            machine.state(),
            trouble,
            sequence.epoch(),
            open.flatMap(OpenedDevice::hostPid),
            standby.pid(),
            open.map(device -> device.device().info()),
            open.map(OpenedDevice::services).orElse(List.of()),
            open.map(OpenedDevice::interfaces).orElse(List.of()),
            open.map(OpenedDevice::sandbox).orElse(List.of())));
  }
}
