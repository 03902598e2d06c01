package io.isle.benchmarks.ring;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes a second that a server of {@code iperf3} receives, for a second each: the best of several
 * sets of options.
 */
record Iperf3Peer(String name, List<List<String>> options) implements Peer {
  private static final Pattern RATE =
      Pattern.compile("\"sum_received\":\\s*\\{[^}]*\"bits_per_second\":\\s*([0-9.eE+]+)");

  @Override
  public void check() {
    if (!Commands.exists("iperf3")) {
      throw new PeerMissingException("iperf3 is missing: apt-get install iperf3");
    }
  }

  @Override
  public double measure(Settings settings, int rounds) throws IOException, InterruptedException {
    double best = 0;
    for (List<String> some : options) {
      best = Math.max(best, rate(some));
    }
    return best;
  }

  private static double rate(List<String> options) throws IOException, InterruptedException {
    String port = Integer.toString(FreePort.any());
    List<String> listening = List.of("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", port);
    try (PeerServer server = new PeerServer(listening)) {
      List<String> client = new ArrayList<>(List.of("taskset", "-c", "0", "iperf3", "-c"));
      client.addAll(List.of("127.0.0.1", "-p", port, "-J", "-t", "1"));
      client.addAll(options);
      return bytesPerSecond(connected(client, server));
    }
  }

  static double bytesPerSecond(String json) throws IOException {
    Matcher found = RATE.matcher(json);
    if (!found.find()) {
      throw new IOException("iperf3 printed no rate: " + json);
    }
    return Double.parseDouble(found.group(1)) / 8;
  }

  /** The server takes a moment until it listens; by JSON, a failed client may exit with 0. */
  private static String connected(List<String> client, PeerServer server)
      throws IOException, InterruptedException {
    String json = Commands.output(client);
    while (json.contains("unable to connect")) {
      server.requireRunning(null);
      TimeUnit.MILLISECONDS.sleep(20);
      json = Commands.output(client);
    }
    return json;
  }
}
