package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A packet there and back, against a peer that moves the same bytes. */
final class RttCases implements Cases {
  /** Goals within 5 % need as many pairs. */
  private static final int PAIRS = 15;

  private static final int ROUNDS = 20_000;

  /** Longer than the spin of a waiting node, so that no node disturbs the peer. */
  private static final long QUIET_MS = 300;

  private final Settings settings;
  private final String name;
  private final String transport;
  private final int bytes;
  private final RttPeer peer;
  private final Double goal;

  /**
   * @param goal of the ratio; null if the case is only reported
   */
  RttCases(Settings settings, String name, String transport, int bytes, RttPeer peer, Double goal) {
    this.settings = settings;
    this.name = name;
    this.transport = transport;
    this.bytes = bytes;
    this.peer = peer;
    this.goal = goal;
  }

  @Override
  public void checkPeers() {
    peer.check();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    int pairs = settings.size(PAIRS, 1);
    int rounds = settings.size(ROUNDS, 100);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    try (RingPair ring = new RingPair(settings, transport, bytes)) {
      double ignored = ring.roundTrip(settings.size(5 * ROUNDS, 100));
      for (int i = 0; i < pairs; i++) {
        ours[i] = ring.roundTrip(rounds);
        TimeUnit.MILLISECONDS.sleep(settings.size(QUIET_MS, 1L));
        theirs[i] = peer.roundTrip(settings, rounds);
      }
    }
    return List.of(
        Row.against(RingBench.NAME, name, "ns", "lower", ours, theirs, peer.name(), goal));
  }
}
