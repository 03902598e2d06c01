package io.isle.drivers.sim;

import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.util.List;
import java.util.function.LongFunction;

/**
 * What a simulated device says of itself. The load is measured between two reports; temperature,
 * power and clock are made from it and stand for no sensor. Control lane.
 */
final class SimReports implements ComputeReports {
  private static final double BYTES_PER_NS = 20;

  private final SimSettings settings;
  private final Units units;
  private final SimHeap heap;
  private final IdTable<SimContext> contexts;
  private final MonotonicClock clock;
  private final LongFunction<SimContext> find;
  private PerformanceLevel level = PerformanceLevel.AUTO;
  private long sampleNs;
  private long sampleBusyNs;
  private long sampleBytes;
  private int load;
  private int bandwidth;

  SimReports(
      SimSettings settings,
      Units units,
      SimHeap heap,
      IdTable<SimContext> contexts,
      MonotonicClock clock,
      LongFunction<SimContext> find) {
    this.settings = settings;
    this.units = units;
    this.heap = heap;
    this.contexts = contexts;
    this.clock = clock;
    this.find = find;
    this.sampleNs = clock.nanoTime();
  }

  Utilization utilization() {
    sample();
    return new Utilization(
        load,
        bandwidth,
        heap.used(),
        settings.memoryBytes(),
        contexts.size(),
        temperature(),
        powerMilliwatts(),
        clockMhz());
  }

  PowerState power() {
    sample();
    return new PowerState(
        contexts.size() > 0 ? 0 : 1, level, temperature(), powerMilliwatts(), 0, clockMhz(), false);
  }

  void setPerformanceLevel(PerformanceLevel wanted) {
    level = wanted;
  }

  @Override
  public ComputeCaps caps() {
    return new ComputeCaps(1, 1, 1 << 15, settings.computeUnits(), 1, 0, 0, 0);
  }

  /** The vendor's counters: submissions that succeeded, that did not, then zeros. */
  @Override
  public PerfCounters counters(long context) {
    SimContext of = find.apply(context);
    return new PerfCounters(
        of.executionNs / 1000 * clockMhz(),
        of.bytesRead,
        of.bytesWritten,
        of.kernels,
        0,
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

  private int temperature() {
    return 35_000 + 400 * load;
  }

  private int powerMilliwatts() {
    return 2_000 + 80 * settings.computeUnits() * load;
  }

  private int clockMhz() {
    return switch (level) {
      case LOW -> 1000;
      case BALANCED -> 2000;
      case HIGH -> 3000;
      case AUTO -> 1000 + 20 * load;
    };
  }
}
