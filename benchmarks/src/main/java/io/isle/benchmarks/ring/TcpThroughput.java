package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Packets of 1 MiB one way, against iperf3 at its best options and against its zero copy. */
final class TcpThroughput implements Cases {
  private static final int PAIRS = 15;
  private static final int BYTES = 1 << 20;
  private static final int PACKETS = 4000;
  private static final Pattern RATE =
      Pattern.compile("\"sum_received\":\\s*\\{[^}]*\"bits_per_second\":\\s*([0-9.eE+]+)");

  private final Settings settings;

  TcpThroughput(Settings settings) {
    this.settings = settings;
  }

  @Override
  public void checkPeers() {
    if (!Commands.exists("iperf3")) {
      throw new PeerMissingException("iperf3 is missing: apt-get install iperf3");
    }
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    int pairs = settings.size(PAIRS, 1);
    double[] ours = new double[pairs];
    double[] best = new double[pairs];
    double[] zero = new double[pairs];
    try (RingPair ring = new RingPair(settings, "tcp", BYTES)) {
      int packets = settings.size(PACKETS, 20);
      double ignored = ring.send(packets);
      for (int i = 0; i < pairs; i++) {
        ours[i] = BYTES * 1e9 / ring.send(packets);
        TimeUnit.MILLISECONDS.sleep(settings.size(300L, 1L));
        best[i] = Math.max(iperf3(), iperf3("-l", "1M"));
        zero[i] = iperf3("-Z");
      }
    }
    return List.of(
        Row.against(
            RingBench.NAME,
            "tcp-throughput",
            "/s",
            "higher",
            ours,
            best,
            "iperf3, the better of plain and -l 1M; bytes",
            0.95),
        Row.against(
            RingBench.NAME,
            "tcp-throughput-z",
            "/s",
            "higher",
            ours,
            zero,
            "iperf3 -Z; bytes",
            null));
  }

  /** Bytes a second that the server received. */
  private double iperf3(String... options) throws IOException, InterruptedException {
    String port = Integer.toString(FreePort.any());
    Process server =
        new ProcessBuilder(
                "taskset", "-c", "1", "iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      List<String> client =
          new ArrayList<>(
              List.of("taskset", "-c", "0", "iperf3", "-c", "127.0.0.1", "-p", port, "-J", "-t"));
      client.add(settings.size("1", "1"));
      client.addAll(List.of(options));
      return rate(connected(client, server));
    } finally {
      server.destroyForcibly();
      int ignored = server.waitFor();
    }
  }

  /** The server takes a moment until it listens; by JSON, a failed client may exit with 0. */
  private static String connected(List<String> client, Process server)
      throws IOException, InterruptedException {
    String json = Commands.output(client);
    while (json.contains("unable to connect") && server.isAlive()) {
      TimeUnit.MILLISECONDS.sleep(20);
      json = Commands.output(client);
    }
    return json;
  }

  private static double rate(String json) throws IOException {
    Matcher found = RATE.matcher(json);
    if (!found.find()) {
      throw new IOException("iperf3 printed no rate: " + json);
    }
    return Double.parseDouble(found.group(1)) / 8;
  }
}
