package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** Bytes a second of packets of 1 MiB one way, against a peer. */
final class RateCase implements Cases {
  /** Bytes of a packet. */
  static final int BYTES = 1 << 20;

  private static final int PACKETS = 2000;

  private final Settings settings;
  private final RingPairs rings;
  private final RingKind kind;
  private final Goal goal;
  private final Peer peer;

  RateCase(Settings settings, RingPairs rings, RingKind kind, Goal goal, Peer peer) {
    this.settings = settings;
    this.rings = rings;
    this.kind = kind;
    this.goal = goal;
    this.peer = peer;
  }

  /** A peer that measures nanoseconds of a packet. */
  static Peer rate(Peer ofTimes) {
    return new Peer() {
      @Override
      public String name() {
        return ofTimes.name();
      }

      @Override
      public double measure(Settings settings, int rounds)
          throws IOException, InterruptedException {
        return BYTES * 1e9 / ofTimes.measure(settings, rounds);
      }
    };
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
    int packets = settings.size(PACKETS, 20);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    RingPair ring = rings.of(kind);
    ring.warm("send", 2 * packets);
    for (int i = 0; i < pairs; i++) {
      ours[i] = BYTES * 1e9 / ring.send(packets);
      Quiet.await(settings);
      theirs[i] = peer.measure(settings, packets);
    }
    return List.of(
        Row.against(
            RingBench.NAME, goal.row(), "/s", "higher", ours, theirs, peer.name(), goal.ratio()));
  }
}
