package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What programs of tenants get out of their devices, against the same work done without Isle. */
public final class ProgramsBench {
  static final String NAME = "programs";

  private final Settings settings;
  private final PrintStream progress;

  public ProgramsBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those that the property {@code isle.bench.cases} names, separated by commas,
   * once their peers are there.
   */
  public List<Row> run() throws Exception {
    return Cases.runAll(
        NAME, wanted(System.getProperty("isle.bench.cases", "")), settings, progress);
  }

  /** The cases that a list of rows needs; the cases of a group run together. */
  private List<Cases> wanted(String names) {
    List<Cases> wanted = new ArrayList<>();
    if (isWanted(names, "opencl-5ms-kernel", "opencl-launch-rate")) {
      wanted.add(new OpenClCases(settings, progress));
    }
    if (isWanted(names, "matmul-f32-1024", "matmul-f32-1024-scalar")) {
      wanted.add(new MatmulCases(settings, progress));
    }
    if (isWanted(names, "convolution")) {
      wanted.add(new ConvolutionCase(settings, progress));
    }
    if (isWanted(names, "overlap")) {
      wanted.add(new OverlapCase(settings, progress));
    }
    List<String> jobs =
        JobCases.names(settings).stream().filter(name -> isWanted(names, name)).toList();
    if (!jobs.isEmpty()) {
      wanted.add(new JobCases(settings, progress, jobs));
    }
    return wanted;
  }

  private static boolean isWanted(String names, String... rows) {
    return names.isEmpty()
        || List.of(names.split(",", -1)).stream().anyMatch(List.of(rows)::contains);
  }
}
