package io.isle.apps.chaos;

import io.isle.apps.chaos.fault.FaultRunner;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.Pace;
import io.isle.apps.chaos.platform.Uninterrupted;
import io.isle.apps.chaos.work.Crowd;
import io.isle.apps.chaos.work.Recorder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Tenants and a schedule beside them, until both have come to their end. Used by one thread. */
final class Act implements AutoCloseable {
  private static final long TICK_MS = 20;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long HISTORY_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long faults that are late may take at the end. */
  private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(120);

  /** How long those that are under way may take when the run is interrupted. */
  private static final long CUT_MS = TimeUnit.SECONDS.toMillis(10);

  /** After so many problems more faults tell nothing new. */
  private static final int HOPELESS = 40;

  private final Crowd crowd;
  private final FaultRunner faults;
  private final Recorder recorder;
  private final History history;
  private final Pace pace;
  private final Consumer<String> observer;
  private final long startNs;
  private long toldNs;
  private long lookedNs;

  /**
   * @param observer told now and then how far it is
   */
  Act(
      Crowd crowd,
      FaultRunner faults,
      Recorder recorder,
      History history,
      Pace pace,
      Consumer<String> observer) {
    this.crowd = crowd;
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
  void play(List<Step> steps) throws InterruptedException {
    crowd.start();
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
    crowd.stop();
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
        recorder.problem("stuck: faults do not come to an end");
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
    crowd.close();
  }
}
