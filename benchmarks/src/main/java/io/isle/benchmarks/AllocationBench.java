package io.isle.benchmarks;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Submissions with 64 in flight, for the allocation profiler: every thread's bytes count. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AllocationBench {
  /** Submissions of one call. */
  static final int BATCH = 100_000;

  private Tenant tenant;

  @Setup(Level.Trial)
  public void open() {
    tenant = new Tenant(Path.of(System.getProperty("isle.native")), 1, DispatchBench.INFLIGHT);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long submit() {
    return tenant.run(BATCH);
  }

  @TearDown(Level.Trial)
  public void close() {
    tenant.close();
  }
}
