package io.isle.benchmarks.inference;

import io.isle.api.accel.Estimate;
import io.isle.benchmarks.Cases;
import io.isle.benchmarks.LocalPlatform;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * How far off estimates are of three programs on data of six sizes, in an order that nobody knows:
 * by a model, and by the average of the context. Both are of the same submissions.
 */
final class EstimateErrorCase implements Cases {
  private static final String ROW = "estimate-error";
  private static final int PAIRS = 9;
  private static final int ROUNDS = 3;
  private static final int LEAST = 16 << 10;
  private static final int MOST = 16 << 20;
  private static final int STEP = 4;
  private static final double GOAL = 5;

  private final Settings settings;
  private final PrintStream progress;
  private final Random random = new Random(1);

  /** A submission that is to be run. */
  private record Job(MixedTenant.Work work, int bytes) {}

  EstimateErrorCase(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public List<Row> run() {
    double[] byModel = new double[settings.size(PAIRS, 1)];
    double[] byAverage = new double[byModel.length];
    int most = settings.size(MOST, LEAST * STEP);
    try (LocalPlatform platform =
            new LocalPlatform(
                settings.nativeDirectory(), 1, Map.of("memory_bytes", "256m"), Map.of());
        MixedTenant tenant = new MixedTenant(platform, most)) {
      EstimateModel model = new EstimateModel(platform.submissionTime());
      model.serve(true);
      // what a kind of work takes is known from its second time on
      List<double[]> ignored = errors(tenant, jobs(most, 1));
      for (int pair = 0; pair < byModel.length; pair++) {
        List<double[]> errors = errors(tenant, jobs(most, settings.size(ROUNDS, 1)));
        byModel[pair] = Row.median(errors.stream().mapToDouble(e -> e[0]).toArray());
        byAverage[pair] = Row.median(errors.stream().mapToDouble(e -> e[1]).toArray());
        progress.printf(
            "inference: %s: pair %d of %d: model %.3f, average %.3f%n",
            ROW, pair + 1, byModel.length, byModel[pair], byAverage[pair]);
      }
      model.check();
    }
    return List.of(
        Row.against(
            InferenceBench.NAME,
            ROW,
            "log2",
            "lower",
            byModel,
            byAverage,
            "average of the context",
            GOAL));
  }

  private List<Job> jobs(int most, int rounds) {
    List<Job> jobs = new ArrayList<>();
    for (int bytes = LEAST; bytes <= most; bytes *= STEP) {
      for (MixedTenant.Work work : MixedTenant.Work.values()) {
        jobs.addAll(Collections.nCopies(rounds, new Job(work, bytes)));
      }
    }
    Collections.shuffle(jobs, random);
    return jobs;
  }

  /** By submission, how far off model and average were, from what the means came to with it. */
  private static List<double[]> errors(MixedTenant tenant, List<Job> jobs) {
    List<double[]> errors = new ArrayList<>();
    for (Job job : jobs) {
      Estimate before = tenant.context().info().estimate();
      tenant.run(job.work(), job.bytes());
      Estimate after = tenant.context().info().estimate();
      errors.add(
          new double[] {
            last(before.modelError(), before.answered(), after.modelError(), after.answered()),
            last(before.averageError(), before.answered(), after.averageError(), after.answered())
          });
    }
    return errors;
  }

  private static double last(double meanBefore, long before, double meanAfter, long after) {
    return meanAfter * after - (before == 0 ? 0 : meanBefore * before);
  }
}
