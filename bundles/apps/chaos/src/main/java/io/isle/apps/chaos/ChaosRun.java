package io.isle.apps.chaos;

import io.isle.api.base.IsleException;
import io.isle.api.chaos.ChaosObserver;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.api.chaos.ChaosRequest;
import io.isle.api.chaos.ChaosRequest.Plant;
import io.isle.apps.chaos.check.Findings;
import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.check.Planter;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.check.Tally;
import io.isle.apps.chaos.fault.Saboteur;
import io.isle.apps.chaos.look.Census;
import io.isle.apps.chaos.look.Remains;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Schedule;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.work.Crowd;
import io.isle.apps.chaos.work.PlantedContext;
import io.isle.apps.chaos.work.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run: warm-up, baseline, the schedule, and what is left afterwards. Used by one thread. */
final class ChaosRun implements AutoCloseable {
  private static final long LISTENING_S = 30;

  private final Platform platform;
  private final ChaosRequest request;
  private final ChaosObserver observer;
  private final Fleet fleet;
  private final Stage stage;
  private final Census census;
  private final Remains remains;
  private final History history;
  private final ExecutorService listening =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("chaos-listener").factory());

  ChaosRun(Platform platform, ChaosRequest request, ChaosObserver observer, Fleet fleet) {
    this.platform = platform;
    this.request = request;
    this.observer = observer;
    this.fleet = fleet;
    stage = new Stage(platform, fleet);
    census = new Census(platform);
    remains = new Remains(census::take, platform.pace());
    history = new History(platform.core());
  }

  ChaosReport run() throws InterruptedException {
    say("chaos: seed %d, warming up", request.seed());
    List<String> problems = warmUp();
    Resources before;
    try {
      before = remains.baseline();
    } catch (Core.AwayException | IsleException e) {
      problems.add("warm-up: stuck: nothing can be counted: " + e.getMessage());
      return new Findings(
              0,
              new Ledger().verdict(),
              new Tally().faults(request.minutes()),
              List.of(),
              history.since(System.currentTimeMillis()),
              problems)
          .report(request);
    }
    if (!before.handles().isEmpty()) {
      Stream.concat(before.handles().stream(), census.contexts().stream())
          .forEach(left -> problems.add("warm-up: leak: " + left));
    }

    long startMs = System.currentTimeMillis();
    Ledger ledger = new Ledger();
    Tally tally = new Tally();
    Recorder recorder = new Recorder(new Planter(request.plants(), ledger), listening);
    List<Step> steps =
        Schedule.of(
            request.seed(), fleet, (long) (request.minutes() * TimeUnit.MINUTES.toMillis(1)));
    say("chaos: %d faults in %.1f minutes", steps.size(), request.minutes());
    act(recorder, tally, steps, request.seed());
    say("chaos: looking for what is left");
    List<Leak> leaks = leaks(before, recorder);
    hearOut(recorder);
    history.look();
    problems.addAll(recorder.problems());
    return new Findings(
            steps.size(),
            ledger.verdict(),
            tally.faults(request.minutes()),
            leaks,
            history.since(startMs),
            problems)
        .report(request);
  }

  /** Each fault once on each target: what is made once and kept is there afterwards. */
  private List<String> warmUp() throws InterruptedException {
    Ledger ledger = new Ledger();
    Recorder recorder = new Recorder(ledger, listening);
    stage.set().forEach(recorder::problem);
    act(recorder, new Tally(), Schedule.once(fleet), ~request.seed());
    awaitHeard(recorder);
    List<String> problems = new ArrayList<>();
    Stream.concat(ledger.verdict().problems().stream(), recorder.problems().stream())
        .forEach(problem -> problems.add("warm-up: " + problem));
    return problems;
  }

  private void act(Recorder recorder, Tally tally, List<Step> steps, long seed)
      throws InterruptedException {
    try (Act act =
        new Act(
            new Crowd(platform.core(), recorder, fleet.machines(), seed),
            new Saboteur(platform, recorder, tally, fleet),
            recorder,
            history,
            platform.pace(),
            observer::progress)) {
      act.play(steps);
    }
    stage.set().forEach(recorder::problem);
  }

  /** A platform that cannot be asked any more has lost the run, not its report. */
  private List<Leak> leaks(Resources before, Recorder recorder) throws InterruptedException {
    try {
      return leaks(before);
    } catch (Core.AwayException | IsleException e) {
      recorder.problem("stuck: what is left cannot be counted: " + e.getMessage());
      return List.of();
    }
  }

  private List<Leak> leaks(Resources before) throws InterruptedException {
    if (!request.plants().contains(Plant.LEAK)) {
      return remains.since(before, Remains.SETTLE_NS);
    }
    PlantedContext planted = new PlantedContext(platform.core(), fleet.machines().getFirst().id());
    try {
      return remains.since(before, 0);
    } finally {
      planted.close();
    }
  }

  /** Contexts that were closed tell their last completions a little later. */
  private void awaitHeard(Recorder recorder) throws InterruptedException {
    boolean ignored =
        platform.pace().until(TimeUnit.SECONDS.toMillis(LISTENING_S), recorder::allEnded);
  }

  /** Waits until all completions were told. */
  private void hearOut(Recorder recorder) throws InterruptedException {
    awaitHeard(recorder);
    listening.shutdown();
    if (!listening.awaitTermination(LISTENING_S, TimeUnit.SECONDS)) {
      recorder.problem("stuck: completions are still being told");
    }
  }

  private void say(String format, Object... values) {
    observer.progress(String.format(Locale.ROOT, format, values));
  }

  @Override
  public void close() {
    listening.shutdownNow();
  }
}
