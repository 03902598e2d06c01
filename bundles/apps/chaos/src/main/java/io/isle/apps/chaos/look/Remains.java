package io.isle.apps.chaos.look;

import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.platform.Pace;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What a run leaves behind: a count before it and one after it. Used by one thread. */
public final class Remains {
  /** How long what is left of a fault may take to go. */
  public static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(20);

  private static final long LOOK_MS = 200;
  private static final int BASELINE_LOOKS = 5;

  private final Supplier<Resources> census;
  private final Pace pace;

  /**
   * @param census counts what there is now
   */
  public Remains(Supplier<Resources> census, Pace pace) {
    this.census = census;
    this.pace = pace;
  }

  /** What there is now; a thread that is just ending does not count. */
  public Resources baseline() throws InterruptedException {
    Resources least = census.get();
    for (int i = 0; i < BASELINE_LOOKS; i++) {
      pace.pass(LOOK_MS);
      least = least.least(census.get());
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
    List<Leak> leaks = census.get().beyond(before);
    while (!leaks.isEmpty() && pace.nanoTime() - end < 0) {
      pace.pass(LOOK_MS);
      leaks = census.get().beyond(before);
    }
    return leaks;
  }
}
