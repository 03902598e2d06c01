package io.isle.apps.chaos;

import io.isle.apps.chaos.fault.FaultRunner;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.Pace;
import io.isle.apps.chaos.platform.Uninterrupted;
import io.isle.apps.chaos.work.Recorder;
import io.isle.apps.chaos.work.TenantThreads;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One phase of a run: tenants, and a schedule of faults beside them, to the end of both. Used by
 * one thread.
 */
final class ChaosPhase implements AutoCloseable {
  private static final long TICK_MS = 20;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long HISTORY_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long faults that are late may take at the end. */
  private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(120);

  /** How long those that are under way may take when the run is interrupted. */
  private static final long CUT_MS = TimeUnit.SECONDS.toMillis(10);

  /** After so many problems more faults tell nothing new. */
  private static final int HOPELESS = 40;

  private final TenantThreads tenants;
  private final FaultRunner faults;
  private final Recorder recorder;
  private final RecoveryHistory history;
  private final Pace pace;
  private final Consumer<String> observer;
  private final long startNs;
  private long toldNs;
  private long lookedNs;

  /**
   * @param observer told now and then how far it is
   */
  ChaosPhase(
      TenantThreads tenants,
      FaultRunner faults,
      Recorder recorder,
      RecoveryHistory history,
      Pace pace,
      Consumer<String> observer) {
    this.tenants = tenants;
    this.faults = faults;
    this.recorder = recorder;
    this.history = history;
    this.pace = pace;
    this.observer = observer;
    startNs = pace.nanoTime();
    toldNs = startNs;
    lookedNs = startNs;
  }

  /**
   * Plays all steps in their time.
   *
   * @throws InterruptedException after no step has begun any more, and those under way have ended:
   *     half a fault would look like one of the platform
   */
  void run(List<Step> steps) throws InterruptedException {
    tenants.start();
    try {
      playAll(steps);
    } catch (InterruptedException e) {
      faults.drop();
      faults.end();
      boolean ignored = Uninterrupted.get(() -> faults.awaitEnd(CUT_MS));
      throw e;
    }
  }

  private void playAll(List<Step> steps) throws InterruptedException {
    for (Step step : steps) {
      await(step.atMs());
      if (recorder.problems().size() >= HOPELESS) {
        observer.accept("chaos: giving up after " + HOPELESS + " problems");
        faults.drop();
        break;
      }
      faults.post(step);
    }
    faults.end();
    drain();
    tenants.stop();
    history.look();
  }

  private void await(long atMs) throws InterruptedException {
    while (pace.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(atMs)) {
      look();
      pace.pass(TICK_MS);
    }
  }

  private void drain() throws InterruptedException {
    long endNs = pace.nanoTime();
    while (!faults.awaitEnd(TICK_MS)) {
      look();
      if (pace.nanoTime() - endNs > DRAIN_NS) {
        recorder.problem("stuck: injected faults do not end");
        faults.close();
        return;
      }
    }
  }

  private void look() {
    long now = pace.nanoTime();
    if (now - lookedNs > HISTORY_NS) {
      lookedNs = now;
      history.look();
    }
    if (now - toldNs > PROGRESS_NS) {
      toldNs = now;
      observer.accept(
          String.format(
              Locale.ROOT,
              "chaos: %d s, step %d, %d submissions, %d problems",
              TimeUnit.NANOSECONDS.toSeconds(now - startNs),
              recorder.step(),
              recorder.accepted(),
              recorder.problems().size()));
    }
  }

  /** Ends at once what is still under way. */
  @Override
  public void close() {
    faults.close();
    tenants.close();
  }
}
