package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The product of two matrices, against OpenBLAS and against three loops in C. */
final class MatmulCases implements Cases {
  private static final int EDGE = 1024;
  private static final int LEAST_EDGE = 64;

  private final Kernels kernels;
  private final PrintStream progress;
  private final int edge;

  MatmulCases(Settings settings, PrintStream progress) {
    kernels = new Kernels(settings, "matmul-f32");
    this.progress = progress;
    edge = settings.size(EDGE, LEAST_EDGE);
  }

  @Override
  public List<String> rows() {
    return List.of("matmul-f32-1024", "matmul-f32-1024-scalar");
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    kernels.checkPeers();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    progress.println(
        "programs: matmul-f32-1024 and matmul-f32-1024-scalar, " + kernels.pairs() + " rounds");
    String product = kernels.measure(Integer.toString(edge));
    return List.of(
        kernels.row("matmul-f32-1024", product, "openblas", "OpenBLAS, one thread", 0.5),
        kernels.row("matmul-f32-1024-scalar", product, "loops", "portable C loop", 8.0));
  }
}
