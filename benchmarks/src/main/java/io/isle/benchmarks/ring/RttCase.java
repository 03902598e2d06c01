package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** A packet there and back, against a peer. */
final class RttCase implements Cases {
  private static final int ROUNDS = 20_000;

  private final Settings settings;
  private final RingPairs rings;
  private final RingKind kind;
  private final Goal goal;
  private final Peer peer;

  RttCase(Settings settings, RingPairs rings, RingKind kind, Goal goal, Peer peer) {
    this.settings = settings;
    this.rings = rings;
    this.kind = kind;
    this.goal = goal;
    this.peer = peer;
  }

  @Override
  public List<String> rows() {
    return List.of(goal.row());
  }

  @Override
  public void checkPeers() {
    peer.check();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    int pairs = settings.size(goal.pairs(), 1);
    int rounds = settings.size(ROUNDS, 100);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    RingPair ring = rings.of(kind);
    ring.warm("rtt", settings.size(5 * ROUNDS, 100));
    for (int i = 0; i < pairs; i++) {
      ours[i] = ring.roundTrip(rounds);
      Quiet.await(settings);
      theirs[i] = peer.measure(settings, rounds);
    }
    return List.of(
        Row.against(
            RingBench.NAME, goal.row(), "ns", "lower", ours, theirs, peer.name(), goal.ratio()));
  }
}
