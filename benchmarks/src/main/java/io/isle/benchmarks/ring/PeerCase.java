package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** A figure of a pair of processes and that of a peer, measured alternately. */
final class PeerCase implements Cases {
  /** Bytes of a packet of {@link Figure#RATE}. */
  static final int RATE_BYTES = 1 << 20;

  private final Settings settings;
  private final RingPairs rings;
  private final Figure figure;
  private final RingKind kind;
  private final Goal goal;
  private final Peer peer;

  /** What is measured. */
  enum Figure {
    /** Nanoseconds of a packet there and back. */
    ROUND_TRIP("rtt", 20_000, 100, 15, "ns", "lower") {
      @Override
      double measure(RingPair ring, int packets) throws IOException {
        return ring.roundTrip(packets);
      }
    },
    /** Bytes a second one way. */
    RATE("send", 2000, 20, 2, "/s", "higher") {
      @Override
      double measure(RingPair ring, int packets) throws IOException {
        return RATE_BYTES * 1e9 / ring.send(packets);
      }
    };

    private final String command;
    private final int packets;
    private final int fewest;
    private final int warm;
    private final String unit;
    private final String better;

    /**
     * @param packets of a measurement
     * @param fewest of a smoke run
     * @param warm measurements that warm the processes
     */
    Figure(String command, int packets, int fewest, int warm, String unit, String better) {
      this.command = command;
      this.packets = packets;
      this.fewest = fewest;
      this.warm = warm;
      this.unit = unit;
      this.better = better;
    }

    abstract double measure(RingPair ring, int packets) throws IOException;
  }

  PeerCase(Settings settings, RingPairs rings, Figure figure, RingKind kind, Goal goal, Peer peer) {
    this.settings = settings;
    this.rings = rings;
    this.figure = figure;
    this.kind = kind;
    this.goal = goal;
    this.peer = peer;
  }

  /** The bytes a second of a peer that measures nanoseconds of a packet. */
  static Peer rate(Peer ofTimes) {
    return new Peer() {
      @Override
      public String name() {
        return ofTimes.name();
      }

      @Override
      public double measure(Settings settings, int rounds)
          throws IOException, InterruptedException {
        return RATE_BYTES * 1e9 / ofTimes.measure(settings, rounds);
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
    int packets = settings.size(figure.packets, figure.fewest);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    RingPair ring = rings.of(kind);
    ring.warm(figure.command, settings.size(figure.warm, 1) * packets);
    for (int i = 0; i < pairs; i++) {
      ours[i] = figure.measure(ring, packets);
      Quiet.await(settings);
      theirs[i] = peer.measure(settings, packets);
    }
    return List.of(
        Row.against(
            RingBench.NAME,
            goal.row(),
            figure.unit,
            figure.better,
            ours,
            theirs,
            peer.name(),
            goal.ratio()));
  }
}
