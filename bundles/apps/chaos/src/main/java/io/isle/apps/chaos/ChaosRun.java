package io.isle.apps.chaos;

import io.isle.api.base.Errno;
import io.isle.api.chaos.ChaosObserver;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosReport.Fault;
import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.api.chaos.ChaosReport.Recoveries;
import io.isle.api.chaos.ChaosRequest;
import io.isle.api.chaos.ChaosRequest.Plant;
import io.isle.apps.chaos.check.Ledger;
import io.isle.apps.chaos.check.Planter;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.check.Tally;
import io.isle.apps.chaos.check.Verdict;
import io.isle.apps.chaos.fault.Bundles;
import io.isle.apps.chaos.fault.Nodes;
import io.isle.apps.chaos.fault.Saboteur;
import io.isle.apps.chaos.look.Census;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Schedule;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.work.Crowd;
import io.isle.apps.chaos.work.PlantedContext;
import io.isle.apps.chaos.work.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;

/** One run: warm-up, baseline, the schedule, and what is left afterwards. Used by one thread. */
final class ChaosRun implements AutoCloseable {
  private static final long TICK_MS = 20;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long HISTORY_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LISTENING_S = 30;

  /** How long faults that are late may take at the end. */
  private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(120);

  /** After so many problems more faults tell nothing new. */
  private static final int HOPELESS = 40;

  /** How long what is left of a fault may take to go. */
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(20);

  private static final long SETTLE_LOOK_MS = 200;
  private static final int BASELINE_LOOKS = 5;

  private final ChaosRequest request;
  private final ChaosObserver observer;
  private final Fleet fleet;
  private final Core core;
  private final Nodes nodes;
  private final Bundles bundles;
  private final Census census;
  private final History history;
  private final Stage stage;
  private final ExecutorService listening =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("chaos-listener").factory());

  private long toldNs;
  private long lookedNs;
  private Crowd crowd;
  private Saboteur saboteur;

  ChaosRun(BundleContext context, ChaosRequest request, ChaosObserver observer, Fleet fleet) {
    this.request = request;
    this.observer = observer;
    this.fleet = fleet;
    core = new Core(context);
    nodes = new Nodes(core);
    bundles = new Bundles(context);
    census = new Census(core, bundles);
    history = new History(core);
    stage = new Stage(core, nodes, fleet);
  }

  ChaosReport run() throws InterruptedException {
    say("chaos: seed %d, warming up", request.seed());
    Ledger warming = new Ledger();
    Recorder warm = new Recorder(warming, listening);
    stage.set().forEach(warm::problem);
    act(warm, new Tally(), Schedule.once(fleet), ~request.seed());
    List<String> problems = new ArrayList<>();
    warming.verdict().problems().forEach(p -> problems.add("warm-up: " + p));
    warm.problems().forEach(p -> problems.add("warm-up: " + p));
    Resources before = baseline();
    before.handles().forEach(left -> problems.add("warm-up: leak: " + left));
    if (!before.handles().isEmpty()) {
      census.contexts().forEach(left -> problems.add("warm-up: leak: " + left));
    }

    long startMs = System.currentTimeMillis();
    Ledger ledger = new Ledger();
    Tally tally = new Tally();
    Recorder recorder = new Recorder(new Planter(request.plants(), ledger), listening);
    long lengthMs = (long) (request.minutes() * TimeUnit.MINUTES.toMillis(1));
    List<Step> steps = Schedule.of(request.seed(), fleet, lengthMs);
    say("chaos: %d faults in %.1f minutes", steps.size(), request.minutes());
    act(recorder, tally, steps, request.seed());
    say("chaos: looking for what is left");
    List<Leak> leaks = leaks(before);
    listening.shutdown();
    if (!listening.awaitTermination(LISTENING_S, TimeUnit.SECONDS)) {
      recorder.problem("stuck: completions are still being told");
    }
    history.look();
    problems.addAll(recorder.problems());
    return report(
        steps.size(),
        ledger.verdict(),
        tally.faults(request.minutes()),
        leaks,
        history.since(startMs),
        problems);
  }

  /** Runs tenants and a schedule beside them, and waits until both have come to their end. */
  private void act(Recorder recorder, Tally tally, List<Step> steps, long seed)
      throws InterruptedException {
    crowd = new Crowd(core, recorder, fleet.machines(), seed);
    saboteur = new Saboteur(core, nodes, bundles, recorder, tally, fleet);
    crowd.start();
    long startNs = System.nanoTime();
    toldNs = startNs;
    for (Step step : steps) {
      while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(step.atMs())) {
        tick(recorder, startNs);
      }
      if (recorder.problems().size() >= HOPELESS) {
        say("chaos: giving up after %d problems", HOPELESS);
        saboteur.close();
        break;
      }
      saboteur.post(step);
    }
    saboteur.end();
    long endNs = System.nanoTime();
    while (!saboteur.ended()) {
      tick(recorder, startNs);
      if (System.nanoTime() - endNs > DRAIN_NS) {
        recorder.problem("stuck: faults do not come to an end");
        saboteur.close();
        break;
      }
    }
    crowd.stop();
    history.look();
    stage.set().forEach(recorder::problem);
  }

  private void tick(Recorder recorder, long startNs) throws InterruptedException {
    long now = System.nanoTime();
    if (now - lookedNs > HISTORY_NS) {
      lookedNs = now;
      history.look();
    }
    if (now - toldNs > PROGRESS_NS) {
      toldNs = now;
      say(
          "chaos: %d s, step %d, %d submissions, %d problems",
          TimeUnit.NANOSECONDS.toSeconds(now - startNs),
          recorder.step(),
          recorder.accepted(),
          recorder.problems().size());
    }
    TimeUnit.MILLISECONDS.sleep(TICK_MS);
  }

  /** What there is now; a thread that is just ending does not count. */
  private Resources baseline() throws InterruptedException {
    Resources least = census.take();
    for (int i = 0; i < BASELINE_LOOKS; i++) {
      TimeUnit.MILLISECONDS.sleep(SETTLE_LOOK_MS);
      least = least.least(census.take());
    }
    return least;
  }

  /** What there is more of than before, once it had the time to go. */
  private List<Leak> leaks(Resources before) throws InterruptedException {
    if (!request.plants().contains(Plant.LEAK)) {
      return settled(before, SETTLE_NS);
    }
    PlantedContext planted = new PlantedContext(core, fleet.machines().getFirst().id());
    try {
      return settled(before, 0);
    } finally {
      planted.close();
    }
  }

  private List<Leak> settled(Resources before, long boundNs) throws InterruptedException {
    long end = System.nanoTime() + boundNs;
    List<Leak> leaks = census.take().beyond(before);
    while (!leaks.isEmpty() && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(SETTLE_LOOK_MS);
      leaks = census.take().beyond(before);
    }
    return leaks;
  }

  private ChaosReport report(
      int steps,
      Verdict verdict,
      List<Fault> faults,
      List<Leak> leaks,
      Recoveries recoveries,
      List<String> problems) {
    List<String> all = new ArrayList<>(verdict.problems());
    all.addAll(problems);
    for (Leak leak : leaks) {
      all.add(
          "leak: " + leak.what() + ": " + leak.before() + " before, " + leak.after() + " after");
    }
    for (Fault fault : faults) {
      if (fault.done() < fault.wanted()) {
        all.add(
            "too few faults: " + fault.kind() + " " + fault.done() + ", wanted " + fault.wanted());
      }
    }
    return new ChaosReport(
        request.seed(),
        request.minutes(),
        steps,
        work(verdict),
        faults,
        leaks,
        recoveries,
        request.plants(),
        all);
  }

  private static ChaosReport.Work work(Verdict verdict) {
    return new ChaosReport.Work(
        verdict.submitted(),
        verdict.ended(0),
        verdict.checked(),
        verdict.ended(Errno.EINTR),
        verdict.ended(Errno.ETIMEDOUT),
        verdict.ended(Errno.ENODATA),
        verdict.ended(Errno.ENODEV),
        verdict.ended(Errno.ECLOSED),
        verdict.ended(Errno.EIO),
        verdict.refused(),
        verdict.lost(),
        verdict.doubled(),
        verdict.wrong(),
        verdict.illegal(),
        verdict.disagreeing());
  }

  private void say(String format, Object... values) {
    observer.progress(String.format(Locale.ROOT, format, values));
  }

  @Override
  public void close() {
    if (saboteur != null) {
      saboteur.close();
    }
    if (crowd != null) {
      crowd.abandon();
    }
    listening.shutdownNow();
    core.close();
  }
}
