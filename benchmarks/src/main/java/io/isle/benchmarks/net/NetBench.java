package io.isle.benchmarks.net;

import static java.util.stream.Collectors.joining;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The net tile: links between tiles, the tile without a kernel, and with one. */
public final class NetBench {
  static final String NAME = "net";

  private final Settings settings;
  private final PrintStream progress;

  public NetBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those with a row that the property {@code isle.bench.cases} names, separated
   * by commas.
   */
  public List<Row> run() throws Exception {
    try (NetPlatform platform = new NetPlatform(settings)) {
      List<Cases> all = new ArrayList<>(LinkCase.all(settings));
      all.add(new CoreCase(settings));
      all.addAll(ofKernel(platform));
      String wanted = System.getProperty("isle.bench.cases", "");
      if (!wanted.isEmpty()) {
        List<String> names = List.of(wanted.split(",", -1));
        all.removeIf(cases -> cases.rows().stream().noneMatch(names::contains));
      }
      return Cases.runAll(NAME, all, settings, progress);
    }
  }

  /** The cases with sockets of the kernel; none, and the reason is told, where they are refused. */
  private List<Cases> ofKernel(NetPlatform platform) throws IOException, InterruptedException {
    List<Cases> all =
        List.of(
            new ReceiveCase(settings, platform, "skb"),
            new ReceiveCase(settings, platform, "drv"),
            new SendCase(settings, platform, "skb"),
            new SendCase(settings, platform, "drv"),
            new TripCase(settings, platform),
            new ReloadCase(settings, platform),
            new CaptureCase(settings, platform),
            new CrashCase(settings));
    String refusal = NetPlatform.refusal(settings);
    if (refusal.isEmpty()) {
      return all;
    }
    String rows = all.stream().flatMap(cases -> cases.rows().stream()).collect(joining(", "));
    progress.printf("%s: cases are skipped: %s: %s%n", NAME, rows, refusal);
    return List.of();
  }
}
