package io.isle.apps.chaos;

import io.isle.api.base.IsleException;
import io.isle.api.chaos.ChaosObserver;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosReport.Fault;
import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.api.chaos.ChaosRequest;
import io.isle.api.chaos.ChaosRequest.Plant;
import io.isle.apps.chaos.check.DefectSeeder;
import io.isle.apps.chaos.check.Findings;
import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.check.Tally;
import io.isle.apps.chaos.fault.FaultRunner;
import io.isle.apps.chaos.look.LeakCheck;
import io.isle.apps.chaos.look.ResourceSnapshot;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Schedule;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.platform.Uninterrupted;
import io.isle.apps.chaos.work.IdleContext;
import io.isle.apps.chaos.work.Recorder;
import io.isle.apps.chaos.work.TenantThreads;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run: warm-up, baseline, the schedule, and what is left afterwards. Used by one thread. */
final class ChaosRun implements AutoCloseable {
  private static final Duration LISTENING = Duration.ofSeconds(30);

  private final Platform platform;
  private final ChaosRequest request;
  private final ChaosObserver observer;
  private final Fleet fleet;
  private final DeviceBaseline devices;
  private final ResourceSnapshot snapshot;
  private final LeakCheck leakCheck;
  private final RecoveryHistory history;
  private final Ledger ledger = new Ledger();
  private final Tally tally = new Tally();
  private final List<String> problems = new ArrayList<>();
  private final SerialExecutor listening = new SerialExecutor("chaos-listener");
  private final Recorder recorder;
  private long startMs = Long.MAX_VALUE;

  ChaosRun(Platform platform, ChaosRequest request, ChaosObserver observer, Fleet fleet) {
    this.platform = platform;
    this.request = request;
    this.observer = observer;
    this.fleet = fleet;
    devices = new DeviceBaseline(platform, fleet);
    snapshot = new ResourceSnapshot(platform);
    leakCheck = new LeakCheck(snapshot::take, platform.pace());
    history = new RecoveryHistory(platform.core());
    recorder = new Recorder(new DefectSeeder(request.plants(), ledger), listening);
  }

  /** Runs to the end. An interrupt ends it before, with a report that is not complete. */
  ChaosReport run() {
    try {
      return whole();
    } catch (InterruptedException e) {
      say("chaos: interrupted, waiting for the end of submissions in progress");
      boolean ignored = Uninterrupted.get(this::hearOut);
      return report(tally.faults(0), List.of(), false);
    }
  }

  private ChaosReport whole() throws InterruptedException {
    say("chaos: seed %d, warming up", request.seed());
    Resources before;
    try {
      warmUp();
      before = leakCheck.baseline();
    } catch (Core.AwayException | IsleException e) {
      problems.add("warm-up: stuck: " + e.getMessage());
      return report(tally.faults(request.minutes()), List.of(), true);
    }
    if (!before.handles().isEmpty()) {
      Stream.concat(before.handles().stream(), snapshot.contexts().stream())
          .forEach(left -> problems.add("warm-up: leak: " + left));
    }

    startMs = System.currentTimeMillis();
    List<Step> steps =
        Schedule.of(
            request.seed(), fleet, (long) (request.minutes() * TimeUnit.MINUTES.toMillis(1)));
    say("chaos: %d faults in %.1f minutes", steps.size(), request.minutes());
    act(recorder, tally, steps, request.seed());
    say("chaos: checking for leaks");
    List<Leak> leaks = leaks(before);
    boolean ignored = hearOut();
    return report(tally.faults(request.minutes()), leaks, true);
  }

  private ChaosReport report(List<Fault> faults, List<Leak> leaks, boolean complete) {
    history.look();
    problems.addAll(recorder.problems());
    return new Findings(
            recorder.step(), ledger.verdict(), faults, leaks, history.since(startMs), problems)
        .report(request, complete);
  }

  /**
   * Each fault once on each target: what is made once and kept is there afterwards. A device keeps
   * the memory of a context for the next one, so each device has had a context since its last
   * fault.
   */
  private void warmUp() throws InterruptedException {
    Ledger warm = new Ledger();
    Recorder warming = new Recorder(warm, listening);
    devices.set().forEach(warming::problem);
    act(warming, new Tally(), Schedule.once(fleet), ~request.seed());
    awaitHeard(warming);
    Stream.concat(warm.verdict().problems().stream(), warming.problems().stream())
        .forEach(problem -> problems.add("warm-up: " + problem));
    fleet.machines().forEach(machine -> new IdleContext(platform.core(), machine.id()).close());
  }

  private void act(Recorder to, Tally count, List<Step> steps, long seed)
      throws InterruptedException {
    try (ChaosPhase phase =
        new ChaosPhase(
            new TenantThreads(platform.core(), to, fleet.machines(), seed),
            new FaultRunner(platform, to, count, fleet),
            to,
            history,
            platform.pace(),
            observer::progress)) {
      phase.run(steps);
    }
    devices.set().forEach(to::problem);
  }

  /** A platform that cannot be asked any more has lost the run, not its report. */
  private List<Leak> leaks(Resources before) throws InterruptedException {
    try {
      return remaining(before);
    } catch (Core.AwayException | IsleException e) {
      recorder.problem("stuck: remaining resources cannot be counted: " + e.getMessage());
      return List.of();
    }
  }

  private List<Leak> remaining(Resources before) throws InterruptedException {
    if (!request.plants().contains(Plant.LEAK)) {
      return leakCheck.since(before, LeakCheck.SETTLE_NS);
    }
    IdleContext leaked = new IdleContext(platform.core(), fleet.machines().getFirst().id());
    try {
      return leakCheck.since(before, 0);
    } finally {
      leaked.close();
    }
  }

  /** Contexts that were closed tell their last completions a little later. */
  private void awaitHeard(Recorder of) throws InterruptedException {
    boolean ignored = platform.pace().until(LISTENING.toMillis(), of::allEnded);
  }

  /** Waits until all completions were told. */
  private boolean hearOut() throws InterruptedException {
    awaitHeard(recorder);
    listening.shut();
    boolean all = listening.awaitEnd(LISTENING);
    if (!all) {
      recorder.problem("stuck: listeners have not been told of all completions");
    }
    return all;
  }

  private void say(String format, Object... values) {
    observer.progress(String.format(Locale.ROOT, format, values));
  }

  @Override
  public void close() {
    listening.abort();
  }
}
