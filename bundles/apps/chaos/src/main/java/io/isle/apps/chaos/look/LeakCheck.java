package io.isle.apps.chaos.look;

import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.platform.Pace;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Compares the resources after a run with those before it. Used by one thread. */
public final class LeakCheck {
  /** How long what is left of a fault may take to go. */
  public static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(20);

  private static final long LOOK_MS = 200;
  private static final int BASELINE_LOOKS = 5;

  private final Supplier<Resources> snapshot;
  private final Pace pace;

  /**
   * @param snapshot counts the resources of now
   */
  public LeakCheck(Supplier<Resources> snapshot, Pace pace) {
    this.snapshot = snapshot;
    this.pace = pace;
  }

  /** What there is now; a thread that is just ending does not count. */
  public Resources baseline() throws InterruptedException {
    Resources least = snapshot.get();
    for (int i = 0; i < BASELINE_LOOKS; i++) {
      pace.pass(LOOK_MS);
      least = least.least(snapshot.get());
    }
    return least;
  }

  /**
   * What there is more of than before, once it had the time to go.
   *
   * @param settleNs how long that is
   */
  public List<Leak> since(Resources before, long settleNs) throws InterruptedException {
    long end = pace.nanoTime() + settleNs;
    List<Leak> leaks = snapshot.get().beyond(before);
    while (!leaks.isEmpty() && pace.nanoTime() - end < 0) {
      pace.pass(LOOK_MS);
      leaks = snapshot.get().beyond(before);
    }
    return leaks;
  }
}
