package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.util.List;

/** What a device reports of itself. */
final class ReportCases {
  private ReportCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("report/utilization-memory", ReportCases::memory),
        Case.of("report/utilization-contexts", ReportCases::contexts),
        Case.of("report/utilization-range", ReportCases::range),
        Case.of("report/power", ReportCases::power),
        Case.of("report/performance-level", ReportCases::level),
        Case.of("report/compute-caps", ReportCases::caps),
        Case.of("report/perf-counters", ReportCases::counters));
  }

  private static void memory(Rig rig) {
    Check.equal(
        rig.device().info().localMemoryBytes(),
        rig.device().utilization().memoryTotalBytes(),
        "memory_total_bytes");
    long before = rig.device().utilization().memoryUsedBytes();
    rig.memory(rig.context(), 1 << 20);
    long used = rig.device().utilization().memoryUsedBytes() - before;
    Check.that(used >= 1 << 20, "memory_used_bytes grew by " + used + " for 1 MiB");
  }

  private static void contexts(Rig rig) {
    int before = rig.device().utilization().activeContexts();
    rig.context();
    rig.context();
    Check.equal(before + 2, rig.device().utilization().activeContexts(), "active_contexts");
  }

  private static void range(Rig rig) {
    long context = rig.context();
    Envelope busy =
        new Envelope()
            .program(rig.program(context, "busy"))
            .dispatch(0, Envelope.Argument.u64(20_000));
    rig.success(context, busy, "busy work");
    Utilization use = rig.device().utilization();
    Check.that(
        use.computePercent() >= 0 && use.computePercent() <= 100,
        "compute_percent is " + use.computePercent());
    Check.that(
        use.memoryBandwidthPercent() >= 0 && use.memoryBandwidthPercent() <= 100,
        "memory_bw_percent is " + use.memoryBandwidthPercent());
  }

  private static void power(Rig rig) {
    PowerState state = rig.device().power();
    Check.that(
        state.level() == 0 || state.level() == 1 || state.level() == 3,
        "the power state is " + state.level());
    Check.that(state.clockMhz() >= 0, "the clock is " + state.clockMhz());
  }

  private static void level(Rig rig) {
    for (PerformanceLevel level : PerformanceLevel.values()) {
      try {
        rig.device().setPerformanceLevel(level);
      } catch (DriverException e) {
        Check.equal(Errno.ENOTSUP, e.code(), "the code of setPerformanceLevel");
        throw new Check.Skipped("no performance levels");
      }
      Check.equal(level, rig.device().power().performanceLevel(), "the level in power()");
    }
  }

  private static ComputeReports reports(Rig rig) {
    return rig.device()
        .extension(ComputeReports.class)
        .orElseThrow(() -> new Check.Skipped("no compute reports"));
  }

  private static void caps(Rig rig) {
    ComputeReports.ComputeCaps caps = reports(rig).caps();
    Check.that(caps.shaderCores() >= 1, "shader_cores is " + caps.shaderCores());
    Check.that(caps.maxWorkgroupSize() >= 1, "max_workgroup_size is " + caps.maxWorkgroupSize());
  }

  private static void counters(Rig rig) {
    ComputeReports reports = reports(rig);
    long context = rig.context();
    long before;
    try {
      before = reports.counters(context).kernelCount();
    } catch (DriverException e) {
      Check.equal(Errno.ENOTSUP, e.code(), "the code of counters");
      throw new Check.Skipped("no counters");
    }
    for (int i = 0; i < 3; i++) {
      rig.success(context, rig.noop(context), "a no-op");
    }
    ComputeReports.PerfCounters after = reports.counters(context);
    Check.equal(3L, after.kernelCount() - before, "the growth of kernel_count");
    Check.equal(8, after.vendor().size(), "the number of vendor counters");
  }
}
