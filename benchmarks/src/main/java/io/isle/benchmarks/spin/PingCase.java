package io.isle.benchmarks.spin;

import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.RulesetPreset;
import io.isle.benchmarks.Cases;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Round trips of a client that sleeps, to handlers behind an interface and to peers. */
final class PingCase implements Cases {
  private static final List<String> ROWS =
      List.of("udp-ping-16", "udp-ping-1416", "icmp-ping-16", "icmp-ping-1416");
  private static final int[] SIZES = {16, 1416};
  private static final int TRIPS = 5_000;
  private static final int SMOKE_TRIPS = 20;
  private static final int WARM_UPS = 4;
  private static final double UDP_GOAL = 0.5;
  private static final double ICMP_GOAL = 0.25;

  private final Settings settings;
  private final Handlers handlers;

  PingCase(Settings settings) {
    this.settings = settings;
    handlers = new Handlers(settings);
  }

  @Override
  public List<String> rows() {
    return ROWS;
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    handlers.check();
    String refusal = SpinLab.refusal(settings);
    if (!refusal.isEmpty()) {
      throw new PeerMissingException(refusal);
    }
  }

  @Override
  public List<Row> run() throws Exception {
    List<Row> rows = new ArrayList<>();
    try (SpinLab lab = new SpinLab(settings)) {
      try (ExecutionContext context = lab.attach(handlers.own("udp_ping"), RulesetPreset.UDP)) {
        for (int size : SIZES) {
          rows.add(row(lab, context, "udp", size, "C, a socket that sleeps (bench-spin echo)"));
        }
      }
      try (ExecutionContext context =
          lab.attach(handlers.own("icmp_ping"), RulesetPreset.ICMP_ECHO)) {
        for (int size : SIZES) {
          rows.add(row(lab, context, "icmp", size, "the kernel's answer to echo requests"));
        }
      }
    }
    return rows;
  }

  private Row row(SpinLab lab, ExecutionContext context, String protocol, int size, String peer)
      throws IOException {
    long before = context.info().stats().packets();
    int trips = settings.size(TRIPS, SMOKE_TRIPS);
    double[] ours = new double[settings.size(SpinBench.PAIRS, 1)];
    double[] theirs = new double[ours.length];
    try (PeerProgram toUs = client(lab.client(), protocol, size);
        PeerProgram toPeer = client(lab.peerClient(), protocol, size)) {
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = toUs.nanos(trips);
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = toUs.nanos(trips);
        theirs[i] = toPeer.nanos(trips);
      }
    }
    long answered = context.info().stats().packets() - before;
    if (answered < (long) trips * ours.length) {
      throw new IOException("handlers have seen " + answered + " packets only");
    }
    double goal = protocol.equals("udp") ? UDP_GOAL : ICMP_GOAL;
    String name = protocol + "-ping-" + size;
    return Row.against(SpinBench.NAME, name, "ns", "lower", ours, theirs, peer, goal);
  }

  private PeerProgram client(String netns, String protocol, int size) throws IOException {
    return new PeerProgram(
        settings,
        SpinLab.CPU,
        "ping",
        protocol,
        netns,
        SpinLab.SERVER,
        SpinLab.PORT,
        Integer.toString(size));
  }
}
