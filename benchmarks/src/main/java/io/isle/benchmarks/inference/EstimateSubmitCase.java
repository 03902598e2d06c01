package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.Tenant;
import java.io.PrintStream;
import java.util.List;

/** Submissions a second that a model is asked about, over those without a model. */
final class EstimateSubmitCase implements Cases {
  private static final String ROW = "estimate-submit";
  private static final int PAIRS = 21;
  private static final int INFLIGHT = 64;
  private static final long SUBMISSIONS = 500_000;
  private static final int WARM_UPS = 4;
  private static final double GOAL = 0.8;

  private final Settings settings;
  private final PrintStream progress;

  EstimateSubmitCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() {
    double[] with = new double[settings.size(PAIRS, 1)];
    double[] without = new double[with.length];
    try (Tenant tenant = new Tenant(settings.nativeDirectory(), 1, INFLIGHT)) {
      EstimateModel model = new EstimateModel(tenant.platform().submissionTime());
      for (int i = 0; i < settings.size(WARM_UPS, 0); i++) {
        double ignored = rate(tenant, model, (i & 1) == 0);
      }
      for (int pair = 0; pair < with.length; pair++) {
        boolean first = (pair & 1) == 0;
        double early = rate(tenant, model, first);
        double late = rate(tenant, model, !first);
        with[pair] = first ? early : late;
        without[pair] = first ? late : early;
        progress.printf(
            "inference: %s: pair %d of %d: %.3f%n",
            ROW, pair + 1, with.length, with[pair] / without[pair]);
      }
      model.check();
    }
    return List.of(
        Row.against(
            InferenceBench.NAME, ROW, "/s", "higher", with, without, "without a model", GOAL));
  }

  private double rate(Tenant tenant, EstimateModel model, boolean asked) {
    model.serve(asked);
    return 1e9 / tenant.throughput(settings.size(SUBMISSIONS, 1000L));
  }
}
