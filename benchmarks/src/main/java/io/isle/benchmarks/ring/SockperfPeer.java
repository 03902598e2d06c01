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

/** The program {@code sockperf} in its mode of single messages, with sockets that never block. */
record SockperfPeer(boolean tcp, int bytes) implements Peer {
  private static final Pattern RTT = Pattern.compile("avg-rtt=([0-9.]+)|RTT is ([0-9.]+) usec");

  @Override
  public String name() {
    return "sockperf ping-pong, " + bytes + " B, --nonblocked";
  }

  @Override
  public void check() {
    if (!Commands.exists("sockperf")) {
      throw new PeerMissingException("sockperf is missing: apt-get install sockperf");
    }
  }

  @Override
  public double measure(Settings settings, int rounds) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("-i", "127.0.0.1", "--nonblocked"));
    options.addAll(List.of("-p", Integer.toString(FreePort.any())));
    if (tcp) {
      options.add("--tcp");
    }
    List<String> server = new ArrayList<>(List.of("sockperf", "sr"));
    server.addAll(options);
    try (PeerServer running = new PeerServer(server)) {
      List<String> client = new ArrayList<>(List.of("taskset", "-c", "0", "sockperf", "pp"));
      client.addAll(options);
      client.addAll(List.of("--full-rtt", "-t", "1", "-m", Integer.toString(bytes)));
      return rtt(answered(client, running));
    }
  }

  /** The server takes a moment until it listens; a client without a server fails. */
  private static String answered(List<String> client, PeerServer server)
      throws IOException, InterruptedException {
    while (true) {
      TimeUnit.MILLISECONDS.sleep(100);
      try {
        String text = Commands.output(client);
        if (RTT.matcher(text).find()) {
          return text;
        }
      } catch (Commands.FailedException e) {
        server.requireRunning(e);
      }
      server.requireRunning(null);
    }
  }

  /** Nanoseconds. */
  static double rtt(String text) throws IOException {
    Matcher found = RTT.matcher(text);
    if (!found.find()) {
      throw new IOException("sockperf printed no round trip: " + text);
    }
    return 1000 * Double.parseDouble(found.group(1) != null ? found.group(1) : found.group(2));
  }
}
