package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** Bytes that both processes, with all their threads, allocate for a packet there and back. */
final class AllocationCase implements Cases {
  private static final int ROUNDS = 40_000;
  private static final int SAMPLES = 9;
  private static final double GOAL = 0.5;

  private final Settings settings;
  private final RingPairs rings;
  private final String transport;

  AllocationCase(Settings settings, RingPairs rings, String transport) {
    this.settings = settings;
    this.rings = rings;
    this.transport = transport;
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    int rounds = settings.size(ROUNDS, 100);
    double[] bytes = new double[settings.size(SAMPLES, 1)];
    RingPair ring = rings.of(RingKind.isle(transport, 64));
    ring.warm("rtt", settings.size(8 * ROUNDS, 100));
    for (int i = 0; i < bytes.length; i++) {
      double before = ring.allocated();
      double ignored = ring.roundTrip(rounds);
      bytes[i] = (ring.allocated() - before) / rounds;
    }
    return List.of(Row.absolute(RingBench.NAME, "alloc-" + transport, "B", "lower", bytes, GOAL));
  }
}
