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

/** A program that exchanges messages between two processes with one processor each. */
interface RttPeer {
  /** What the peer is, for the table. */
  String name();

  /**
   * Looks for the program.
   *
   * @throws PeerMissingException naming what is to be installed
   */
  default void check() {}

  /** Nanoseconds of a round trip, the mean of {@code rounds} or of a second. */
  double roundTrip(Settings settings, int rounds) throws IOException, InterruptedException;

  /** The program {@code bench-ring}, which never sleeps. */
  record C(String transport, int bytes) implements RttPeer {
    @Override
    public String name() {
      return "C, spinning, the same "
          + (transport.equals("tcp") ? "two connections" : "two sockets");
    }

    @Override
    public double roundTrip(Settings settings, int rounds)
        throws IOException, InterruptedException {
      return Double.parseDouble(
          Commands.output(
              List.of(
                  settings.nativeDirectory().resolve("bench-ring").toString(),
                  "rtt",
                  transport,
                  Integer.toString(bytes),
                  Integer.toString(rounds))));
    }
  }

  /** The program {@code sockperf} in its mode of single messages, with sockets that never block. */
  record Sockperf(boolean tcp, int bytes) implements RttPeer {
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
    public double roundTrip(Settings settings, int rounds)
        throws IOException, InterruptedException {
      List<String> options = new ArrayList<>(List.of("-i", "127.0.0.1", "--nonblocked"));
      options.addAll(List.of("-p", Integer.toString(FreePort.any())));
      if (tcp) {
        options.add("--tcp");
      }
      List<String> server = new ArrayList<>(List.of("taskset", "-c", "1", "sockperf", "sr"));
      server.addAll(options);
      Process process =
          new ProcessBuilder(server)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        List<String> client = new ArrayList<>(List.of("taskset", "-c", "0", "sockperf", "pp"));
        client.addAll(options);
        client.addAll(List.of("--full-rtt", "-t", "1", "-m", Integer.toString(bytes)));
        return rtt(answered(client, process));
      } finally {
        process.destroyForcibly();
        int ignored = process.waitFor();
      }
    }

    /** The server takes a moment until it listens; a client without a server fails. */
    private static String answered(List<String> client, Process server)
        throws IOException, InterruptedException {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(100);
        try {
          String text = Commands.output(client);
          if (RTT.matcher(text).find()) {
            return text;
          }
        } catch (Commands.FailedException e) {
          if (!server.isAlive()) {
            throw e;
          }
        }
        if (!server.isAlive()) {
          throw new IOException("sockperf's server has ended");
        }
      }
    }

    private static double rtt(String text) throws IOException {
      Matcher found = RTT.matcher(text);
      if (!found.find()) {
        throw new IOException("sockperf printed no round trip: " + text);
      }
      return 1000 * Double.parseDouble(found.group(1) != null ? found.group(1) : found.group(2));
    }
  }
}
