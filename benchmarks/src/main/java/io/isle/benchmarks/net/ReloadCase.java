package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Updates of the bundle of tiles while frames arrive at 200000 a second: frames that are lost in
 * ten updates, and the longest time without a frame of each.
 */
final class ReloadCase implements Cases {
  private static final String LOST = "reload-lost";
  private static final String GAP = "reload-gap";
  private static final String KIND = "watch";
  private static final int RATE = 200_000;
  private static final int SMOKE_RATE = 20_000;
  private static final int ROUNDS = 9;
  private static final int UPDATES = 10;

  /** Frames before the first update. */
  private static final int WARM = 800_000;

  /** Frames behind each update. */
  private static final int BETWEEN = 40_000;

  private static final int SMOKE_FRAMES = 500;
  private static final double GAP_GOAL_NS = 20_000_000;

  private final Settings settings;
  private final NetPlatform platform;
  private final WatchApp watch = new WatchApp();

  ReloadCase(Settings settings, NetPlatform platform) {
    this.settings = settings;
    this.platform = platform;
  }

  @Override
  public List<String> rows() {
    return List.of(LOST, GAP);
  }

  @Override
  public List<Row> run() throws Exception {
    double[] lost = new double[settings.size(ROUNDS, 1)];
    double[] gaps = new double[settings.size(ROUNDS * UPDATES, 1)];
    Map<String, String> usual =
        Map.of("rx_queue", "32768", "tx_queue", "4096", "app_frames", "32768");
    try (OurNet net = platform.open(LOST, "drv", usual)) {
      platform.offer(KIND, watch);
      net.beginOnTile(KIND, Map.of());
      try (XskProgram sender = platform.ours().send(LOST)) {
        for (int round = 0; round < lost.length; round++) {
          lost[round] = round(net, sender, gaps, round * gaps.length / lost.length);
        }
      }
    }
    if (!watch.disorder().isEmpty()) {
      throw new IllegalStateException(LOST + ": " + watch.disorder());
    }
    // one bad round of many is a loss
    Arrays.fill(lost, Arrays.stream(lost).max().orElseThrow());
    return List.of(
        Row.absolute(NetBench.NAME, LOST, "frames", "lower", lost, 0.0),
        Row.absolute(NetBench.NAME, GAP, "ns", "lower", gaps, GAP_GOAL_NS).withP99(gaps));
  }

  private double round(OurNet net, XskProgram sender, double[] gaps, int first) throws Exception {
    watch.restart();
    sender.go(settings.size(RATE, SMOKE_RATE));
    awaitMore(net, settings.size(first == 0 ? WARM : BETWEEN, SMOKE_FRAMES));
    for (int i = 0; i < settings.size(UPDATES, 1); i++) {
      long ignored = watch.longestPause();
      long tiles = opened(net);
      platform.updateTile();
      net.await("the next version takes over", () -> opened(net) > tiles);
      awaitMore(net, settings.size(BETWEEN, SMOKE_FRAMES));
      gaps[first + i] = watch.longestPause();
    }
    long sent = sender.stop().frames();
    return sent - OurNet.settled(watch::frames, sent);
  }

  private static long opened(OurNet net) {
    return net.counter("tile", "opened");
  }

  private void awaitMore(OurNet net, long more) throws InterruptedException {
    long wanted = watch.frames() + more;
    net.await("frames arrive", () -> watch.frames() >= wanted);
    TimeUnit.MILLISECONDS.sleep(1);
  }
}
