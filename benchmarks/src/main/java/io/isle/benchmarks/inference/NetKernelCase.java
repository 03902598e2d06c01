package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.lib.model.engine.ReferenceEngine;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** A net's answer, called from Java on heap arrays, against the same function called from C. */
final class NetKernelCase implements Cases {
  private static final String ROW = "net-kernel";
  private static final int ROUNDS = 500_000;
  private static final int WARM_UPS = 4;
  private static final double GOAL = 0.8;

  private final Settings settings;

  NetKernelCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    SampleNet net = new SampleNet();
    int rounds = settings.size(ROUNDS, 100);
    double[] ours = new double[settings.size(InferenceBench.PAIRS, 1)];
    double[] theirs = new double[ours.length];
    try (Scratch scratch = new Scratch(settings);
        JavaProcess process = LoopProcess.start(settings, Loops.NET)) {
      NetFile peer = new NetFile(settings, net, scratch.folder());
      int[][] expected = net.answers(new ReferenceEngine(net.form()), SampleNet.OUTPUTS);
      if (!Arrays.deepEquals(expected, peer.answers())) {
        throw new IOException("bench-infer computes other answers");
      }
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(Integer.toString(rounds));
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(Integer.toString(rounds));
        theirs[i] = peer.nanos(rounds);
      }
    }
    return List.of(
        Row.against(
            InferenceBench.NAME,
            ROW,
            "ns",
            "lower",
            ours,
            theirs,
            "the same function called from C (bench-infer)",
            GOAL));
  }
}
