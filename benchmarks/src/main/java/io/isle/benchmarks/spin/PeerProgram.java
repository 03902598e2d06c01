package io.isle.benchmarks.spin;

import io.isle.benchmarks.AskedProcess;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The program {@code bench-spin} in one of its modes, when it is ready. */
final class PeerProgram implements AutoCloseable {
  private final AskedProcess process;

  /**
   * Starts the program.
   *
   * @param cpus its processors
   */
  PeerProgram(Settings settings, String cpus, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(settings.nativeDirectory().resolve("bench-spin").toString());
    command.addAll(List.of(arguments));
    process = new AskedProcess("bench-spin " + String.join(" ", arguments), cpus, command);
    boolean ready = false;
    try {
      String line = process.line();
      if (!line.equals("ready")) {
        throw new IOException("bench-spin printed '" + line + "' in place of 'ready'");
      }
      ready = true;
    } finally {
      if (!ready) {
        process.close();
      }
    }
  }

  /** Nanoseconds of a round trip, the mean of so many. */
  double nanos(int rounds) throws IOException {
    return process.ask(Integer.toString(rounds));
  }

  @Override
  public void close() throws IOException {
    process.close();
  }
}
