package io.isle.drivers.sim;

import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.util.List;
import java.util.function.LongFunction;

/**
 * What a simulated device says of itself. The load is measured between two reports; heat, power and
 * clock are {@link SimModel}'s. Control lane.
 */
final class SimReports implements ComputeReports {
  private static final double BYTES_PER_NS = 20;

  private final SimSettings settings;
  private final SimModel model;
  private final Units units;
  private final SimHeap heap;
  private final IdTable<SimContext> contexts;
  private final MonotonicClock clock;
  private final LongFunction<SimContext> find;
  private long sampleNs;
  private long sampleBusyNs;
  private long sampleBytes;
  private volatile int load;
  private int bandwidth;

  SimReports(
      SimSettings settings,
      SimModel model,
      Units units,
      SimHeap heap,
      IdTable<SimContext> contexts,
      MonotonicClock clock,
      LongFunction<SimContext> find) {
    this.settings = settings;
    this.model = model;
    this.units = units;
    this.heap = heap;
    this.contexts = contexts;
    this.clock = clock;
    this.find = find;
    this.sampleNs = clock.nanoTime();
    model.follow(() -> load);
  }

  Utilization utilization() {
    sample();
    return new Utilization(
        load,
        bandwidth,
        heap.used(),
        heap.total(),
        contexts.size(),
        model.temperature(),
        model.powerMilliwatts(),
        model.clockMhz());
  }

  PowerState power() {
    sample();
    return new PowerState(
        model.state().code(),
        model.level(),
        model.temperature(),
        model.powerMilliwatts(),
        0,
        model.clockMhz(),
        model.isThrottled());
  }

  void setPerformanceLevel(PerformanceLevel wanted) {
    model.level(wanted);
  }

  @Override
  public ComputeCaps caps() {
    return new ComputeCaps(
        1, Launch.MAX_GROUP, Launch.MAX_LOCAL_BYTES, settings.computeUnits(), 1, 0, 0, 0);
  }

  /** The vendor's counters: submissions that succeeded, that did not, then zeros. */
  @Override
  public PerfCounters counters(long context) {
    SimContext of = find.apply(context);
    return new PerfCounters(
        of.executionNs / 1000 * model.clockMhz(),
        of.bytesRead,
        of.bytesWritten,
        of.kernels,
        of.pageFaults,
        0,
        of.executionNs,
        List.of(of.succeeded, of.failed, 0L, 0L, 0L, 0L, 0L, 0L));
  }

  private void sample() {
    long now = clock.nanoTime();
    double wall = now - sampleNs;
    if (wall <= 0) {
      return;
    }
    long busy = units.busyNs();
    long bytes = units.bytesMoved();
    load = percent((busy - sampleBusyNs) / (wall * settings.computeUnits()));
    bandwidth = percent((bytes - sampleBytes) / (wall * BYTES_PER_NS));
    sampleNs = now;
    sampleBusyNs = busy;
    sampleBytes = bytes;
  }

  private static int percent(double share) {
    return (int) Math.clamp(Math.round(share * 100), 0L, 100L);
  }
}
