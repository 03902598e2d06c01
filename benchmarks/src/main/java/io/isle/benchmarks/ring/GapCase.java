package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.util.List;
import org.osgi.framework.BundleException;

/** The longest pause under traffic while the bundle of a transport or a path is exchanged. */
final class GapCase implements Cases {
  private static final int SAMPLES = 15;
  private static final int WARM = 20_000;
  private static final int MORE = 500;
  private static final double GOAL_NS = 50_000_000;

  private final Settings settings;
  private final String row;
  private final Change change;

  private GapCase(Settings settings, String row, Change change) {
    this.settings = settings;
    this.row = row;
    this.change = change;
  }

  /** Something that the ring goes on over. */
  @FunctionalInterface
  private interface Change {
    void run(RingPlatform platform, int number) throws BundleException;
  }

  /** The bundle of the TCP transport is updated; connections must stay. */
  static GapCase restart(Settings settings) {
    return new GapCase(
        settings,
        "restart-gap",
        (platform, number) -> {
          long paths = platform.paths();
          platform.updateTcp();
          if (platform.paths() != paths) {
            throw new IllegalStateException("an update of the transport has cost a connection");
          }
        });
  }

  /** The path to the next node moves to another transport. */
  static GapCase move(Settings settings) {
    return new GapCase(
        settings,
        "switch-gap",
        (platform, number) -> {
          List<String> to = platform.addresses();
          platform.switchTo(to.get(number % to.size()));
        });
  }

  @Override
  public List<Row> run() throws Exception {
    double[] pauses = new double[settings.size(SAMPLES, 1)];
    try (RingPlatform platform = new RingPlatform(settings);
        Traffic traffic = new Traffic(platform.endpoint())) {
      traffic.await(settings.size(WARM, MORE));
      for (int i = 0; i < pauses.length; i++) {
        traffic.await(MORE);
        long ignored = traffic.longestPause();
        change.run(platform, i);
        traffic.await(MORE);
        pauses[i] = traffic.longestPause();
      }
    }
    return List.of(
        Row.absolute(RingBench.NAME, row, "ns", "lower", pauses, GOAL_NS).withP99(pauses));
  }
}
