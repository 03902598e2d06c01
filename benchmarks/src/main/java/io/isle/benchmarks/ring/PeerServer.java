package io.isle.benchmarks.ring;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The server of a peer, on the second processor. */
final class PeerServer implements AutoCloseable {
  private final List<String> command;
  private final Process process;

  PeerServer(List<String> command) throws IOException {
    this(command, Map.of());
  }

  /**
   * Starts the server.
   *
   * @param environment more variables
   */
  PeerServer(List<String> command, Map<String, String> environment) throws IOException {
    this.command = command;
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", "1"));
    pinned.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(pinned)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    process = builder.start();
  }

  /**
   * Checks that the server has not ended.
   *
   * @param cause of the doubt; null without one
   */
  void requireRunning(IOException cause) throws IOException {
    if (!process.isAlive()) {
      throw new IOException("the server has ended: " + String.join(" ", command), cause);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      int ignored = process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
