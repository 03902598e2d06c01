package io.isle.benchmarks.inference;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that decisions allocate. */
final class Allocation implements Loop {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Guarded net = Guarded.net();
  private final Guarded table = Guarded.table();
  private final Guarded tree =
      new Guarded(SampleTree.FEATURES, 1, 1 << 16, SampleTree.inputs(Loops.TREE_INPUTS));

  Allocation() {
    tree.serve(tree.loaded(new SampleTree(1).body().engine(), false));
  }

  @Override
  public double measure(int rounds) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < rounds; i++) {
      net.decide(i);
      table.decide(i);
      tree.decide(i);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    net.check();
    table.check();
    tree.check();
    return bytes / (double) rounds;
  }
}
