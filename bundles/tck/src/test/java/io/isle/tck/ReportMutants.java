package io.isle.tck;

import io.isle.api.driver.ComputeReports.ComputeCaps;
import io.isle.api.driver.ComputeReports.PerfCounters;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;

/** Mutants of {@link ReportCases}. */
final class ReportMutants {
  private static final String UTILIZATION = "AccelDevice.utilization";
  private static final String POWER = "AccelDevice.power";

  private ReportMutants() {}

  static void add(Mutants to) {
    to.<Utilization>result(
        "report/utilization-memory",
        UTILIZATION,
        use -> use(use, use.computePercent(), use.memoryUsedBytes() / 4, use.activeContexts()));
    to.<Utilization>result(
        "report/utilization-contexts",
        UTILIZATION,
        use -> use(use, use.computePercent(), use.memoryUsedBytes(), 0));
    to.<Utilization>result(
        "report/utilization-range",
        UTILIZATION,
        use -> use(use, 101, use.memoryUsedBytes(), use.activeContexts()));
    to.<PowerState>result(
        "report/power",
        POWER,
        state ->
            new PowerState(
                state.level(), state.performanceLevel(), 0, 0, 0, -1, state.throttled()));
    to.<PowerState>result(
        "report/performance-level",
        POWER,
        state ->
            new PowerState(state.level(), PerformanceLevel.AUTO, 0, 0, 0, 0, state.throttled()));
    to.<ComputeCaps>result(
        "report/compute-caps",
        "ComputeReports.caps",
        caps -> new ComputeCaps(1, caps.maxWorkgroupSize(), 0, 0, 0, 0, 0, 0));
    to.<PerfCounters>result(
        "report/perf-counters",
        "ComputeReports.counters",
        real -> new PerfCounters(0, 0, 0, 0, 0, 0, 0, real.vendor()));
  }

  private static Utilization use(Utilization real, int percent, long used, int contexts) {
    return new Utilization(
        percent, 0, used, real.memoryTotalBytes(), contexts, 0, 0, real.clockMhz());
  }
}
