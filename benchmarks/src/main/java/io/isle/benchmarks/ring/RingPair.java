package io.isle.benchmarks.ring;

import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** Two {@link RingProcess}es, each on a processor of its own, which live until the end. */
final class RingPair implements AutoCloseable {
  private final JavaProcess echo;
  private final JavaProcess ping;

  RingPair(Settings settings, String transport, int bytes) throws IOException {
    String here = "127.0.0.1:" + FreePort.any();
    String there = "127.0.0.1:" + FreePort.any();
    String size = Integer.toString(bytes);
    List<String> options = List.of(settings.size("-Xms256m", "-Xms64m"));
    echo = new JavaProcess(1, RingProcess.class, options, "echo", transport, there, here, size);
    try {
      ping = new JavaProcess(0, RingProcess.class, options, "ping", transport, here, there, size);
    } catch (IOException e) {
      echo.close();
      throw e;
    }
    String ignored = ping.line();
  }

  /** Nanoseconds of a round trip, the mean of {@code count}. */
  double roundTrip(int count) throws IOException {
    return ping.ask("rtt " + count);
  }

  /** Nanoseconds of a packet of many one way. */
  double send(int count) throws IOException {
    return ping.ask("send " + count);
  }

  @Override
  public void close() throws IOException {
    try (echo) {
      ping.close();
    }
  }
}
