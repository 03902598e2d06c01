package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** A decision by a net under all guards, against the bare net by ONNX Runtime. */
final class NetGuardedCase implements Cases {
  private static final String ROW = "net-guarded";
  private static final int ROUNDS = 200_000;
  private static final int PEER_ROUNDS = 20_000;
  private static final int WARM_UPS = 4;
  private static final double GOAL = 8;

  private final Settings settings;

  NetGuardedCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() throws IOException {
    double[] ours = new double[settings.size(InferenceBench.PAIRS, 1)];
    double[] floats = new double[ours.length];
    double[] bytes = new double[ours.length];
    String rounds = Integer.toString(settings.size(ROUNDS, 100));
    String peerRounds = Integer.toString(settings.size(PEER_ROUNDS, 100));
    try (Scratch scratch = new Scratch(settings);
        JavaProcess process = LoopProcess.start(settings, Loops.NET_GUARDED);
        JavaProcess fp32 = LoopProcess.start(settings, Loops.ONNX_FP32, scratch.folder());
        JavaProcess int8 = LoopProcess.start(settings, Loops.ONNX_INT8, scratch.folder())) {
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(rounds) + fp32.ask(peerRounds) + int8.ask(peerRounds);
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(rounds);
        floats[i] = fp32.ask(peerRounds);
        bytes[i] = int8.ask(peerRounds);
      }
    }
    boolean quantized = Row.median(bytes) < Row.median(floats);
    return List.of(
        Row.against(
            InferenceBench.NAME,
            ROW,
            "ns",
            "lower",
            ours,
            quantized ? bytes : floats,
            "ONNX Runtime 1.29.0 in " + (quantized ? "int8" : "fp32") + ", one thread",
            GOAL));
  }
}
