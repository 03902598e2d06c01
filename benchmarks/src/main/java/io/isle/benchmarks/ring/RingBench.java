package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Packets between two processes by the transports of rings, against the same bytes without. */
public final class RingBench {
  static final String NAME = "ring";

  private final Settings settings;
  private final PrintStream progress;

  public RingBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those that the property {@code isle.bench.cases} names, separated by commas.
   */
  public List<Row> run() throws Exception {
    Map<String, Cases> all = new LinkedHashMap<>();
    rtt(all, "tcp-rtt-1", "tcp", 1, new RttPeer.C("tcp", 1), 0.95);
    rtt(all, "tcp-rtt-16392", "tcp", 16_392, new RttPeer.C("tcp", 16_392), 0.95);
    rtt(all, "udp-rtt-1", "udp", 1, new RttPeer.C("udp", 1), 0.93);
    rtt(all, "udp-rtt-1-aeron", "udp", 1, new AeronPeer(1), 2.0);
    rtt(all, "tcp-rtt-sockperf", "tcp", 64, new RttPeer.Sockperf(true, 64), null);
    rtt(all, "udp-rtt-sockperf", "udp", 64, new RttPeer.Sockperf(false, 64), null);
    all.put("tcp-throughput", new TcpThroughput(settings));
    String wanted = System.getProperty("isle.bench.cases", "");
    if (!wanted.isEmpty()) {
      all.keySet().retainAll(List.of(wanted.split(",", -1)));
    }
    return Cases.runAll(NAME, List.copyOf(all.values()), settings, progress);
  }

  private void rtt(
      Map<String, Cases> all, String name, String transport, int bytes, RttPeer peer, Double goal) {
    all.put(name, new RttCases(settings, name, transport, bytes, peer, goal));
  }
}
