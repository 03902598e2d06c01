package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** The signatures of a model file, verified as the proof does, against the JDK alone. */
final class VerifyCase implements Cases {
  private static final String ROW = "hybrid-verify";
  private static final int ROUNDS = 300;
  private static final int WARM_UPS = 24;
  private static final double GOAL = 2.8;

  private final Settings settings;

  VerifyCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() throws IOException {
    String rounds = Integer.toString(settings.size(ROUNDS, 1));
    double[] ours = new double[settings.size(InferenceBench.PAIRS, 1)];
    double[] theirs = new double[ours.length];
    try (JavaProcess process = LoopProcess.start(settings, Loops.VERIFY);
        JavaProcess jdk = LoopProcess.start(settings, Loops.VERIFY_JDK)) {
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(rounds) + jdk.ask(rounds);
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(rounds);
        theirs[i] = jdk.ask(rounds);
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
            "the same by the JDK alone",
            GOAL));
  }
}
