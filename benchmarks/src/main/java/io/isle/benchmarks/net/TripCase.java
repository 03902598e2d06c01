package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.util.List;
import java.util.Map;

/** Round trips of a client in C to an app that sends frames back, and to peers. */
final class TripCase implements Cases {
  private static final String DRV = "rtt-drv";
  private static final String KERNEL = "rtt-kernel";
  private static final String MODE = "drv";
  private static final int PAIRS = 9;
  private static final int WARM_TRIPS = 400_000;
  private static final int TRIPS = 50_000;
  private static final int SMOKE_TRIPS = 100;
  private static final double GOAL = 0.7;

  private final Settings settings;
  private final NetPlatform platform;

  TripCase(Settings settings, NetPlatform platform) {
    this.settings = settings;
    this.platform = platform;
  }

  @Override
  public List<String> rows() {
    return List.of(DRV, KERNEL);
  }

  @Override
  public List<Row> run() throws Exception {
    int pairs = settings.size(PAIRS, 1);
    int trips = settings.size(TRIPS, SMOKE_TRIPS);
    double[] ours = new double[pairs];
    double[] xsk = new double[pairs];
    double[] alsoOurs = new double[pairs];
    double[] kernel = new double[pairs];
    try (OurNet net = platform.open(DRV, MODE, Map.of());
        XskProgram toUs = platform.ours().ping(DRV, MODE);
        XskProgram toPeer = platform.peers().ping(DRV, MODE)) {
      net.beginOnTile("echo", Map.of());
      XskProgram.Run ignored = toUs.run(settings.size(WARM_TRIPS, SMOKE_TRIPS));
      try (XskProgram peer = platform.peers().echo(DRV, MODE)) {
        for (int i = 0; i < pairs; i++) {
          ours[i] = toUs.run(trips).nanosOfOne();
          xsk[i] = answered(peer, toPeer, trips);
        }
      }
      try (XskProgram peer = platform.peers().udp(KERNEL)) {
        for (int i = 0; i < pairs; i++) {
          alsoOurs[i] = toUs.run(trips).nanosOfOne();
          kernel[i] = answered(peer, toPeer, trips);
        }
      }
    }
    return List.of(
        row(DRV, ours, xsk, "C, AF_XDP, same mode and rings, sends back", GOAL),
        row(KERNEL, alsoOurs, kernel, "C, socket of UDP that never sleeps", null));
  }

  private static double answered(XskProgram peer, XskProgram client, int trips) throws Exception {
    peer.go(0);
    double nanos = client.run(trips).nanosOfOne();
    XskProgram.Run ignored = peer.stop();
    return nanos;
  }

  private static Row row(String name, double[] ours, double[] peer, String whose, Double goal) {
    return Row.against(NetBench.NAME, name, "ns", "lower", ours, peer, whose, goal);
  }
}
