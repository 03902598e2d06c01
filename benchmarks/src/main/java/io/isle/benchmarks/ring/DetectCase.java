package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/**
 * The time from the end of a worker's process, or of its work, to the moment when the master's
 * tenant hears of it.
 */
final class DetectCase implements Cases {
  private static final int SAMPLES = 9;

  private final Settings settings;
  private final RingPairs rings;
  private final boolean killed;

  /**
   * @param killed whether the process is killed; otherwise it is stopped
   */
  DetectCase(Settings settings, RingPairs rings, boolean killed) {
    this.settings = settings;
    this.rings = rings;
    this.killed = killed;
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    double[] ns = new double[settings.size(SAMPLES, 1)];
    RingPair ring = rings.of(RingKind.isle("tcp", 1032).passed());
    for (int i = 0; i < ns.length; i++) {
      ring.running();
      double ignored = ring.roundTrip(100);
      long begin = System.nanoTime();
      if (killed) {
        ring.other().kill();
      } else {
        ring.other().signal("STOP");
      }
      ns[i] = ring.down() - begin;
      if (killed) {
        ring.restartOther();
      } else {
        ring.other().signal("CONT");
      }
    }
    ring.running();
    return List.of(
        killed
            ? Row.absolute(RingBench.NAME, "detect-kill", "ns", "lower", ns, 200e6)
            : Row.absolute(RingBench.NAME, "detect-silent", "ns", "lower", ns, 2e9));
  }
}
