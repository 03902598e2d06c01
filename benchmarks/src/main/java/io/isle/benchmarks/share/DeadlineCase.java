package io.isle.benchmarks.share;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What {@link FloodCase} measures, of threads that the kernel schedules by their deadlines. */
final class DeadlineCase {
  static final String NAME = FloodCase.NAME + "-deadline";

  private static final int REFUSED = 3;
  private static final String PINNED = "pinned";
  private static final double PPM = 1e6;

  private final Settings settings;
  private final Rounds rounds;
  private final PrintStream progress;

  DeadlineCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    rounds = settings.size(Rounds.ALL, Rounds.SMOKE);
    this.progress = progress;
  }

  /**
   * One run.
   *
   * @return how far the threads were off, in percent; NaN where the kernel does not let us have
   *     such threads
   */
  double error(int run) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            settings.nativeDirectory().resolve("bench-deadline").toString(),
            Long.toString(Math.max(1, TimeUnit.NANOSECONDS.toSeconds(rounds.runNs()))),
            Long.toString(rounds.periodUs()));
    try {
      Result result = Result.read(Commands.output(command));
      double error = FloodCase.error(result.shares, result.promised);
      progress.println(
          FloodCase.told(NAME, run, rounds.runs(), result.shares, error)
              + (result.pinned ? "" : " (the kernel did not keep the threads on one CPU)"));
      return error;
    } catch (Commands.FailedException e) {
      if (e.code() != REFUSED) {
        throw e;
      }
      progress.printf("share: %s is skipped: %s%n", NAME, e.getMessage().strip());
      return Double.NaN;
    }
  }

  /**
   * What the program prints.
   *
   * @param shares parts of a CPU by thread
   * @param promised of those to whom something was
   * @param pinned whether all had one CPU between them
   */
  record Result(Map<String, Double> shares, Map<String, Double> promised, boolean pinned) {
    /** Of lines {@code NAME PROMISED_PPM CPU_NS WALL_NS} and {@code pinned 0|1}. */
    static Result read(String printed) throws IOException {
      Map<String, Double> shares = new HashMap<>();
      Map<String, Double> promised = new HashMap<>();
      boolean pinned = false;
      for (String line : printed.strip().split("\n", -1)) {
        String[] words = line.strip().split("\\s+", -1);
        if (words[0].equals(PINNED) && words.length == 2) {
          pinned = words[1].equals("1");
        } else if (words.length == 4) {
          shares.put(words[0], Double.parseDouble(words[2]) / Double.parseDouble(words[3]));
          double ppm = Double.parseDouble(words[1]);
          if (ppm > 0) {
            promised.put(words[0], ppm / PPM);
          }
        } else {
          throw new IOException("bench-deadline printed '" + line + "'");
        }
      }
      if (promised.isEmpty()) {
        throw new IOException("bench-deadline printed no guaranteed share");
      }
      return new Result(shares, promised, pinned);
    }
  }
}
