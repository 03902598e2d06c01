package io.isle.benchmarks.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.benchmarks.Row;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulerBenchTest {
  private static double[] each(double bytes) {
    double[] figures = new double[SchedulerBench.FORKS];
    Arrays.fill(figures, bytes);
    return figures;
  }

  @Test
  void oneConfigurationThatAllocatesIsSeen() {
    double[] most = SchedulerBench.most(List.of(each(0.1), each(24), each(0.2)));
    assertEquals(24, Row.median(most));
  }

  @Test
  void oneJvmIsNot() {
    double[] once = each(0.1);
    once[3] = 24;
    assertEquals(0.2, Row.median(SchedulerBench.most(List.of(once, each(0.2)))));
  }
}
