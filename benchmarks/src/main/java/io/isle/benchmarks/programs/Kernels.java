package io.isle.benchmarks.programs;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a program of the software device computes with, one compute unit, against others on one
 * thread. The C program {@code bench-kernels} calls ours and the peers in turn, on the same
 * buffers, and ends with an error when they do not compute the same.
 */
final class Kernels {
  private static final int PAIRS = 21;

  private final Settings settings;
  private final String program;
  private final int pairs;

  /**
   * @param program of the software device
   */
  Kernels(Settings settings, String program) {
    this.settings = settings;
    this.program = program;
    pairs = settings.size(PAIRS, 1);
  }

  /**
   * Looks for the peers of the program.
   *
   * @throws PeerMissingException naming those that are not installed
   */
  void checkPeers() throws IOException, InterruptedException {
    String missing = Commands.output(List.of(tool(), "missing", program)).strip();
    if (!missing.isEmpty()) {
      throw new PeerMissingException(missing);
    }
  }

  /** How often each side computes. */
  int pairs() {
    return pairs;
  }

  /**
   * What {@code bench-kernels} prints.
   *
   * @param size an edge, or an image file
   */
  String measure(String size) throws IOException, InterruptedException {
    Path driver = settings.nativeDirectory().resolve("libsoftaccel.so");
    return Commands.output(
        List.of(tool(), driver.toString(), program, size, Integer.toString(pairs)));
  }

  private String tool() {
    return settings.nativeDirectory().resolve("bench-kernels").toString();
  }

  /** A row of what was printed: ours against one of the peers. */
  Row row(String name, String printed, String peer, String peerName, double goal)
      throws IOException {
    return Row.against(
        ProgramsBench.NAME,
        name,
        "ns",
        "lower",
        times(printed, "ours", pairs),
        times(printed, peer, pairs),
        peerName,
        goal);
  }

  /**
   * Nanoseconds of the lines {@code PROGRAM SIZE WHO NS} of one side.
   *
   * @param count of the lines that there must be
   */
  static double[] times(String printed, String who, int count) throws IOException {
    double[] times =
        printed
            .lines()
            .map(line -> line.split(" ", -1))
            .filter(words -> words.length == 4 && words[2].equals(who))
            .mapToDouble(words -> Double.parseDouble(words[3]))
            .toArray();
    if (times.length != count) {
      throw new IOException(
          "bench-kernels printed " + times.length + " times of " + who + ", not " + count);
    }
    return times;
  }
}
