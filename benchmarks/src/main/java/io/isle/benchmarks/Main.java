package io.isle.benchmarks;

import io.isle.benchmarks.inference.InferenceBench;
import io.isle.benchmarks.net.NetBench;
import io.isle.benchmarks.programs.ProgramsBench;
import io.isle.benchmarks.recovery.RecoveryBench;
import io.isle.benchmarks.ring.RingBench;
import io.isle.benchmarks.scheduler.SchedulerBench;
import io.isle.benchmarks.share.ShareBench;
import io.isle.benchmarks.spin.SpinBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * Runs a benchmark: {@code NAME [--json [FILE]] [--smoke]}, or with {@code --smoke} alone all of
 * them. Exit codes: 0 all goals hold, of a smoke run all cases ran; 1 a goal does not hold, or a
 * benchmark failed; 2 unknown benchmark or option; 3 a peer is not installed.
 */
public final class Main {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private static final SortedMap<String, Benchmark> ALL =
      new TreeMap<>(
          Map.of(
              "dispatch", (settings, progress) -> new DispatchBench(settings, progress).run(),
              "inference", (settings, progress) -> new InferenceBench(settings, progress).run(),
              "net", (settings, progress) -> new NetBench(settings, progress).run(),
              "programs", (settings, progress) -> new ProgramsBench(settings, progress).run(),
              "ring", (settings, progress) -> new RingBench(settings, progress).run(),
              "recovery", (settings, progress) -> new RecoveryBench(settings, progress).run(),
              "scheduler", (settings, progress) -> new SchedulerBench(settings, progress).run(),
              "share", (settings, progress) -> new ShareBench(settings, progress).run(),
              "spin", (settings, progress) -> new SpinBench(settings, progress).run()));

  // The log manager forgets the level of a logger that nobody holds.
  private static final Logger PLATFORM = Logger.getLogger("io.isle");

  private Main() {}

  /** Measures all cases of one name. */
  @FunctionalInterface
  private interface Benchmark {
    List<Row> run(Settings settings, PrintStream progress) throws Exception;
  }

  public static void main(String[] args) throws IOException {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) throws IOException {
    Request request;
    try {
      request = Request.of(List.of(args), ALL.keySet());
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return USAGE;
    }
    // each crash that a benchmark brings about is told otherwise, and writing that takes time
    PLATFORM.setLevel(Level.WARNING);
    List<Row> rows = new ArrayList<>();
    int code;
    try {
      code = measure(request, rows, err);
    } catch (PeerMissingException e) {
      err.println(e.getMessage());
      return PeerMissingException.EXIT;
    }
    if (code != 0) {
      return code;
    }
    String text = rows.stream().map(Row::json).collect(Collectors.joining(",\n ", "[", "]\n"));
    if (request.file() != null) {
      write(request.file(), text);
    }
    out.print(request.json() && request.file() == null ? text : table(rows));
    out.flush();
    return rows.stream().allMatch(Row::holds) ? 0 : FAILED;
  }

  /** Runs what is asked for. One benchmark that fails keeps no other one from running. */
  private static int measure(Request request, List<Row> rows, PrintStream err) {
    try (Instances instances = new Instances()) {
      return measure(
          request, Settings.of(System.getProperties(), request.smoke(), instances), rows, err);
    }
  }

  private static int measure(Request request, Settings settings, List<Row> rows, PrintStream err) {
    int code = 0;
    for (String name : request.names()) {
      try {
        List<Row> made = ALL.get(name).run(settings, err);
        rows.addAll(request.smoke() ? made.stream().map(Row::unjudged).toList() : made);
      } catch (PeerMissingException e) {
        throw e;
      } catch (Exception | LinkageError e) {
        err.println("bench " + name + " failed:");
        e.printStackTrace(err);
        code = FAILED;
      }
    }
    return code;
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
