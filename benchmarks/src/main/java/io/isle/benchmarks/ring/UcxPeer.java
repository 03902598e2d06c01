package io.isle.benchmarks.ring;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The program {@code ucx_perftest} by the shared memory of POSIX, twice its time one way: the
 * better of its tagged messages and its active messages.
 */
record UcxPeer(int bytes) implements Peer {
  private static final String PROGRAM = "ucx_perftest";
  private static final Map<String, String> POSIX =
      Map.of("UCX_TLS", "posix,self", "UCX_WARN_UNUSED_ENV_VARS", "n", "UCX_LOG_LEVEL", "error");

  /** Column of the mean latency of the whole run, in microseconds. */
  private static final int OVERALL = 3;

  @Override
  public String name() {
    return "ucx_perftest posix, 2 x the better of tag_lat and ucp_am_lat";
  }

  @Override
  public void check() {
    if (!Commands.exists(PROGRAM)) {
      throw new PeerMissingException("ucx_perftest is missing: apt-get install ucx-utils");
    }
  }

  @Override
  public double measure(Settings settings, int rounds) throws IOException, InterruptedException {
    return 2 * Math.min(oneWay("tag_lat", rounds), oneWay("ucp_am_lat", rounds));
  }

  private double oneWay(String test, int rounds) throws IOException, InterruptedException {
    String port = Integer.toString(FreePort.any());
    try (PeerServer server = new PeerServer(List.of(PROGRAM, "-p", port), POSIX)) {
      List<String> client =
          List.of(
              "taskset",
              "-c",
              "0",
              PROGRAM,
              "127.0.0.1",
              "-p",
              port,
              "-t",
              test,
              "-s",
              Integer.toString(bytes),
              "-n",
              Integer.toString(rounds),
              "-w",
              Integer.toString(rounds / 10 + 1),
              "-f",
              "-v");
      return microseconds(answered(client, server)) * 1000;
    }
  }

  /** The server takes a moment until it listens. */
  private static String answered(List<String> client, PeerServer server)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return Commands.output(client, POSIX);
      } catch (Commands.FailedException e) {
        server.requireRunning(e);
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  /** Of the last line, whose values are separated by commas. */
  static double microseconds(String text) throws IOException {
    String[] lines = text.strip().split("\n", -1);
    String[] values = lines[lines.length - 1].split(",", -1);
    if (values.length <= OVERALL) {
      throw new IOException("ucx_perftest printed no latency: " + text);
    }
    return Double.parseDouble(values[OVERALL].strip());
  }
}
