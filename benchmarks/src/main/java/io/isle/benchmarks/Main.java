package io.isle.benchmarks;

import io.isle.benchmarks.programs.ProgramsBench;
import io.isle.benchmarks.recovery.RecoveryBench;
import io.isle.benchmarks.recovery.Rounds;
import io.isle.benchmarks.scheduler.SchedulerBench;
import io.isle.benchmarks.share.ShareBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Runs a benchmark: {@code NAME [--json [FILE]] [--smoke]}. Exit codes: 0 all goals hold, 1 one
 * does not, 2 unknown benchmark or option, 3 a peer is not installed.
 */
public final class Main {
  private static final int USAGE = 2;
  private static final List<String> NAMES =
      List.of("dispatch", "programs", "recovery", "scheduler", "share");

  /** Those that can run each case once, for whether it runs at all. */
  private static final List<String> SMOKED = List.of("recovery");

  // The log manager forgets the level of a logger that nobody holds.
  private static final Logger PLATFORM = Logger.getLogger("io.isle");

  private Main() {}

  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
    List<String> options = new ArrayList<>(List.of(args));
    boolean smoke = options.remove("--smoke");
    boolean json = options.size() > 1 && options.get(1).equals("--json");
    if (options.isEmpty() || options.size() > (json ? 3 : 1)) {
      err.println("usage: isle bench NAME [--json [FILE]] [--smoke]; benchmarks: " + NAMES);
      return USAGE;
    }
    String name = options.getFirst();
    if (!NAMES.contains(name)) {
      err.println("unknown benchmark '" + name + "'; there are: " + NAMES);
      return USAGE;
    }
    if (smoke && !SMOKED.contains(name)) {
      err.println("bench " + name + " has no --smoke; these have it: " + SMOKED);
      return USAGE;
    }
    // each crash that a benchmark brings about is told otherwise, and writing that takes time
    PLATFORM.setLevel(Level.WARNING);
    Settings settings = Settings.of(System.getProperties());
    List<Row> rows;
    try {
      rows =
          switch (name) {
            case "programs" -> new ProgramsBench(settings, err).run();
            case "recovery" ->
                new RecoveryBench(settings, smoke ? Rounds.SMOKE : Rounds.ALL, err).run();
            case "scheduler" -> new SchedulerBench(settings, err).run();
            case "share" -> new ShareBench(settings, err).run();
            default -> new DispatchBench(settings, err).run();
          };
    } catch (PeerMissingException e) {
      err.println(e.getMessage());
      return PeerMissingException.EXIT;
    }
    if (smoke) {
      rows = rows.stream().map(Row::unjudged).toList();
    }
    String text = rows.stream().map(Row::json).collect(Collectors.joining(",\n ", "[", "]\n"));
    if (json && options.size() == 3) {
      write(Path.of(options.get(2)), text);
    }
    out.print(json && options.size() == 2 ? text : table(rows));
    out.flush();
    return rows.stream().allMatch(Row::holds) ? 0 : 1;
  }

  private static void write(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text, StandardCharsets.UTF_8);
    Files.move(part, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static String table(List<Row> rows) {
    StringBuilder text =
        new StringBuilder(
            String.format(
                "%-32s %12s %-5s %12s %12s %8s %8s %6s %3s %7s  %s%n",
                "case", "ours", "unit", "p99", "peer", "ratio", "goal", "holds", "n", "spread",
                "peer is"));
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-32s %12.4g %-5s %12s %12s %8s %8s %6s %3d %6.1f%%  %s%n",
              row.name(),
              row.ours(),
              row.unit(),
              show(row.p99()),
              show(row.peer()),
              show(row.ratio()),
              show(row.goal()),
              row.holds() ? "yes" : "NO",
              row.n(),
              100 * row.spread(),
              row.peerName() == null ? "" : row.peerName()));
    }
    return text.toString();
  }

  private static String show(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.4g", value);
  }
}
