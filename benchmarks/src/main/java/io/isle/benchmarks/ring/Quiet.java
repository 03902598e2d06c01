package io.isle.benchmarks.ring;

import io.isle.benchmarks.Settings;
import java.util.concurrent.TimeUnit;

/** A wait longer than the spin of a waiting node, so that no node disturbs a peer. */
final class Quiet {
  private static final long MS = 80;

  private Quiet() {}

  static void await(Settings settings) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(settings.size(MS, 1L));
  }
}
