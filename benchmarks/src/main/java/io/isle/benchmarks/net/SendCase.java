package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Frames a second that the app pktgen sends on the thread of the tile. */
final class SendCase implements Cases {
  private static final int PAIRS = 9;
  private static final double GOAL = 0.9;
  private static final String PEER = "C, AF_XDP, same mode, rings and frames, sends";
  private static final String APP = "pktgen";
  private static final int WARM_UPS = 5;

  /** A new app changes the loop of the tile, which is compiled anew. */
  private static final long SETTLE_MS = 800;

  private static final long MS = 400;
  private static final long SMOKE_MS = 20;

  private final Settings settings;
  private final NetPlatform platform;
  private final String mode;
  private final String row;

  /**
   * @param mode {@code skb} or {@code drv}
   */
  SendCase(Settings settings, NetPlatform platform, String mode) {
    this.settings = settings;
    this.platform = platform;
    this.mode = mode;
    row = "tx-" + mode;
  }

  @Override
  public List<String> rows() {
    return List.of(row);
  }

  @Override
  public List<Row> run() throws Exception {
    int pairs = settings.size(PAIRS, 1);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    try (OurNet net = platform.open(row, mode, Map.of());
        XskProgram peer = platform.peers().pktgen(row, mode)) {
      for (int i = 0; i < settings.size(WARM_UPS, 0); i++) {
        double ignored = generated(net, MS);
      }
      for (int i = 0; i < pairs; i++) {
        ours[i] = generated(net, settings.size(MS, SMOKE_MS));
        peer.go(0);
        TimeUnit.MILLISECONDS.sleep(settings.size(MS, SMOKE_MS));
        theirs[i] = peer.stop().perSecond();
      }
    }
    return List.of(Row.against(NetBench.NAME, row, "/s", "higher", ours, theirs, PEER, GOAL));
  }

  /** To no host: the kernel of side a forgets these frames, as those of the peer. */
  private double generated(OurNet net, long ms) throws InterruptedException {
    net.beginOnTile(APP, Map.of());
    TimeUnit.MILLISECONDS.sleep(settings.size(SETTLE_MS, 1L));
    long begin = System.nanoTime();
    long before = net.counter("tx", "sent");
    TimeUnit.MILLISECONDS.sleep(ms);
    long sent = net.counter("tx", "sent") - before;
    long nanos = System.nanoTime() - begin;
    net.end(APP);
    return sent * 1e9 / nanos;
  }
}
