package io.isle.benchmarks.scheduler;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A decision with its charge, and a bare heap. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecisionBench {
  /** Decisions of one call. */
  static final int BATCH = 10_000;

  @Param({"2", "16", "256", "4096"})
  public int contexts;

  private Decisions guaranteed;
  private Decisions fair;
  private BareHeap heap;

  @Setup(Level.Trial)
  public void open() {
    guaranteed = new Decisions(contexts, true);
    fair = new Decisions(contexts, false);
    heap = new BareHeap(contexts);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long decide() {
    return guaranteed.run(BATCH);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long decideByWeight() {
    return fair.run(BATCH);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long bareHeap() {
    return heap.run(BATCH);
  }
}
