package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A tenant's kernel on the first OpenCL device, its driver in a process of its own, against the
 * same kernel and the OpenCL library alone.
 */
final class OpenClCases implements Cases {
  private static final int PAIRS = 15;
  private static final int LONG_US = 5000;
  private static final int LEAST_US = 100;
  private static final int LONG_KERNELS = 15;
  private static final int SMALL_KERNELS = 20_000;
  private static final int INFLIGHT = 64;
  private static final double LONG_GOAL = 0.97;
  private static final double RATE_GOAL = 0.5;
  private static final String PEER = "the OpenCL library alone";

  private final Settings settings;
  private final PrintStream progress;

  OpenClCases(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  @Override
  public List<String> rows() {
    return List.of("opencl-5ms-kernel", "opencl-launch-rate");
  }

  @Override
  public void checkPeers() throws IOException {
    Path cache = Files.createTempDirectory("isle-bench-opencl");
    try {
      LocalPlatform.openCl(settings.nativeDirectory(), cache).close();
    } finally {
      delete(cache);
    }
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    Path cache = Files.createTempDirectory("isle-bench-opencl");
    try {
      return measure(cache);
    } finally {
      delete(cache);
    }
  }

  private List<Row> measure(Path cache) throws IOException, InterruptedException {
    int pairs = settings.size(PAIRS, 1);
    int longKernels = settings.size(LONG_KERNELS, 1);
    int smallKernels = settings.size(SMALL_KERNELS, 100);
    int rounds =
        figures(cache, "calibrate", settings.size(LONG_US, LEAST_US)).get("rounds").intValue();
    double[] longs = new double[pairs];
    double[] peerLongs = new double[pairs];
    double[] rates = new double[pairs];
    double[] peerRates = new double[pairs];
    try (OpenClTenant tenant =
        new OpenClTenant(settings.nativeDirectory(), cache.resolve("driver"), INFLIGHT)) {
      for (int pair = 0; pair < pairs; pair++) {
        progress.printf("programs: opencl pair %d of %d%n", pair + 1, pairs);
        longs[pair] = tenant.oneByOne(rounds, longKernels);
        rates[pair] = tenant.rate(smallKernels);
        Map<String, Double> peer = figures(cache, rounds, smallKernels, INFLIGHT);
        peerLongs[pair] = peer.get("long");
        peerRates[pair] = 1e9 / peer.get("small");
      }
    }
    return List.of(
        Row.against(
            ProgramsBench.NAME,
            "opencl-5ms-kernel",
            "ns",
            "lower",
            longs,
            peerLongs,
            PEER,
            LONG_GOAL),
        Row.against(
            ProgramsBench.NAME,
            "opencl-launch-rate",
            "/s",
            "higher",
            rates,
            peerRates,
            PEER,
            RATE_GOAL));
  }

  /** Lines "name number" that the peer prints. */
  private Map<String, Double> figures(Path cache, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(settings.nativeDirectory().resolve("bench-opencl-direct").toString());
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    Path folder = Files.createDirectories(cache.resolve("peer"));
    return Commands.output(command, Map.of("POCL_CACHE_DIR", folder.toString()))
        .lines()
        .map(line -> line.split(" ", 2))
        .collect(Collectors.toMap(part -> part[0], part -> Double.parseDouble(part[1])));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
