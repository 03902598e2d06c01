package io.isle.benchmarks.inference;

import io.isle.benchmarks.Row;
import io.isle.inference.engine.decide.LoadedModel;
import java.util.ArrayList;
import java.util.List;

/** First decisions after swaps of trees, none of which was used shortly before. */
final class Swaps implements Loop {
  private static final int TREES = 500;
  private static final int LARGEST = 1 << 16;

  private final Guarded guarded =
      new Guarded(SampleTree.FEATURES, 1, LARGEST, SampleTree.inputs(Loops.TREE_INPUTS));
  private final List<LoadedModel> trees = new ArrayList<>();

  Swaps() {
    for (int i = 0; i < TREES; i++) {
      trees.add(guarded.loaded(new SampleTree(i).body().engine(), false));
    }
  }

  @Override
  public double measure(int rounds) {
    double[] times = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      guarded.serve(trees.get(i % TREES));
      long start = System.nanoTime();
      guarded.decide(i);
      times[i] = System.nanoTime() - start;
      guarded.check();
    }
    return Row.median(times);
  }
}
