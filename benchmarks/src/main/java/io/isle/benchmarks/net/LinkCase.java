package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/**
 * A figure of links in Java and that of a peer, measured alternately. Both sides have a thread or a
 * process on each of two processors, which never sleep.
 */
final class LinkCase implements Cases {
  /** Lines of a link, and slots of the Disruptor. */
  private static final int DEPTH = 4096;

  private static final int PAIRS = 15;
  private static final int WARM_UPS = 5;
  private static final String C = "C, isle_tango.h, same links";
  private static final String DISRUPTOR =
      "Disruptor, one producer, busy spin, same bytes, an event a publication";

  private final Settings settings;
  private final String row;
  private final String mode;
  private final int rounds;
  private final String peerName;
  private final double goal;

  private LinkCase(
      Settings settings, String row, String mode, int rounds, String peerName, double goal) {
    this.settings = settings;
    this.row = row;
    this.mode = mode;
    this.rounds = settings.size(rounds, 1000);
    this.peerName = peerName;
    this.goal = goal;
  }

  static List<Cases> all(Settings settings) {
    return List.of(
        new LinkCase(settings, "ring-rate", "rate", 20_000_000, C, 0.95),
        new LinkCase(settings, "ring-rtt", "rtt", 500_000, C, 0.95),
        new LinkCase(settings, "ring-disruptor", "rate", 20_000_000, DISRUPTOR, 3.5));
  }

  @Override
  public List<String> rows() {
    return List.of(row);
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    int pairs = settings.size(PAIRS, 1);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    try (JavaProcess links = process(LinkProcess.class);
        Peer peer = peerName.equals(C) ? this::inC : disruptor()) {
      String command = mode + " " + rounds;
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = links.ask(command);
      }
      for (int i = 0; i < pairs; i++) {
        ours[i] = links.ask(command);
        theirs[i] = peer.nanos();
      }
    }
    if (mode.equals("rtt")) {
      return List.of(against("ns", "lower", ours, theirs));
    }
    return List.of(against("/s", "higher", perSecond(ours), perSecond(theirs)));
  }

  private Row against(String unit, String better, double[] ours, double[] theirs) {
    return Row.against(NetBench.NAME, row, unit, better, ours, theirs, peerName, goal);
  }

  private static double[] perSecond(double[] nanos) {
    double[] rates = new double[nanos.length];
    for (int i = 0; i < nanos.length; i++) {
      rates[i] = 1e9 / nanos[i];
    }
    return rates;
  }

  private JavaProcess process(Class<?> program) throws IOException {
    return new JavaProcess(settings, "0,1", program, List.of(), Integer.toString(DEPTH));
  }

  /** Nanoseconds of a round of the peer. */
  @FunctionalInterface
  private interface Peer extends AutoCloseable {
    double nanos() throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
  }

  private double inC() throws IOException, InterruptedException {
    return Double.parseDouble(
        Commands.output(
            List.of(
                settings.nativeDirectory().resolve("bench-tango").toString(),
                mode,
                Integer.toString(DEPTH),
                Integer.toString(rounds))));
  }

  private Peer disruptor() throws IOException {
    JavaProcess process = process(DisruptorProcess.class);
    for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
      double ignored = process.ask("rate " + rounds);
    }
    return new Peer() {
      @Override
      public double nanos() throws IOException {
        return process.ask("rate " + rounds);
      }

      @Override
      public void close() throws IOException {
        process.close();
      }
    };
  }
}
