package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How well a streaming step hides transfers behind computing, or the other way round: the time that
 * it takes, against that of the longer of the two alone. All three are steps of one job, in turn:
 *
 * <ul>
 *   <li>{@code stream}: SHA-256 of each MiB of a cached file, in pieces of 8 MiB
 *   <li>{@code transfer}: the same pieces through a program that computes one byte of each
 *   <li>{@code compute}: SHA-256 of one piece that stays on the device, as often as there are
 *       pieces
 * </ul>
 */
final class OverlapCase implements Cases {
  private static final int PAIRS = 15;
  private static final int WARM_UP = 2;
  private static final int PIECE = 8 << 20;
  private static final int PIECES = 256;
  private static final double GOAL = 0.9;

  private static final String STEPS =
      """
        - name: stream-%1$d
          program: sha256
          in: {data: {file: data, format: raw, type: u8, shape: [n, 1048576]}}
          out: {digests: {type: u8, shape: [n, 32]}}
          args: [1048576]
          stream: n
        - name: transfer-%1$d
          program: convolve-u8
          in:
            src: {file: data, format: raw, type: u8, shape: [n, 1048576]}
            weights: {values: [1], type: u16, shape: [1]}
          out: {dst: {type: u8, shape: [n, 1]}}
          args: [1, 1, 1, 1, 1, 1]
          stream: n
        - name: compute-%1$d
          program: sha256
          in: {data: {file: piece, format: raw, type: u8, shape: [n, 1048576]}}
          out: {digests: {type: u8, shape: [n, 32]}}
          args: [1048576]
          repeat: %2$d
      """;

  private final Settings settings;
  private final PrintStream progress;
  private final int pairs;
  private final int warmUp;
  private final int pieces;

  OverlapCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
    pairs = settings.size(PAIRS, 1);
    warmUp = settings.size(WARM_UP, 0);
    pieces = settings.size(PIECES, 2);
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    progress.println("programs: overlap, " + pairs + " rounds of three steps");
    Path folder = settings.newFolder();
    List<Path> files =
        List.of(folder.resolve("data"), folder.resolve("piece"), folder.resolve("job.yml"));
    try {
      write(files.get(0), pieces);
      write(files.get(1), 1);
      Files.writeString(files.get(2), job());
      return List.of(
          row(
              Commands.output(
                  List.of(
                      settings.root().resolve("isle").toString(),
                      "run",
                      files.get(2).toString(),
                      "--json"))));
    } finally {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.delete(folder);
    }
  }

  /** The device is the software accelerator of the default configuration. */
  private String job() {
    StringBuilder text = new StringBuilder("job: overlap\ndevice: soft0\nsteps:\n");
    for (int round = 0; round < warmUp + pairs; round++) {
      text.append(STEPS.formatted(round, pieces));
    }
    return text.toString();
  }

  private Row row(String json) throws IOException {
    double[] stream = times(json, "stream", "elapsed_ns", warmUp, pairs);
    double[] transfer = times(json, "transfer", "elapsed_ns", warmUp, pairs);
    double[] compute = times(json, "compute", "compute_ns", warmUp, pairs);
    progress.printf(
        "programs: overlap: transfer alone %.1f ms, compute alone %.1f ms%n",
        Row.median(transfer) / 1e6, Row.median(compute) / 1e6);
    boolean computes = Row.median(compute) >= Row.median(transfer);
    return Row.against(
        ProgramsBench.NAME,
        "overlap",
        "ns",
        "lower",
        stream,
        computes ? compute : transfer,
        computes ? "compute alone" : "transfer alone",
        GOAL);
  }

  /** A time of the steps {@code NAME-ROUND} of a job's result, without those that warm up. */
  static double[] times(String json, String name, String field, int warmUp, int pairs)
      throws IOException {
    double[] times = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      String step = name + "-" + (warmUp + pair);
      Matcher time =
          Pattern.compile("\"step\"\\s*:\\s*\"" + step + "\"[^}]*\"" + field + "\"\\s*:\\s*(\\d+)")
              .matcher(json);
      if (!time.find()) {
        throw new IOException("the job's result has no " + field + " of the step " + step);
      }
      times[pair] = Double.parseDouble(time.group(1));
    }
    return times;
  }

  private static void write(Path file, int pieces) throws IOException {
    byte[] piece = new byte[PIECE];
    SplittableRandom random = new SplittableRandom(1);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < pieces; i++) {
        random.nextBytes(piece);
        out.write(piece);
      }
    }
  }
}
