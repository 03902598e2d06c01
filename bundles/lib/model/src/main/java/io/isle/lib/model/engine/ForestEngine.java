package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.Rounding;
import io.isle.lib.model.form.TreeForm;

/** Walks several trees and adds their answers up. */
final class ForestEngine implements ModelEngine {
  private final long[] nodes;
  private final int[] roots;
  private final int[] rows;
  private final int outputs;

  ForestEngine(long[] nodes, int[] roots, int[] rows, int outputs) {
    this.nodes = nodes;
    this.roots = roots;
    this.rows = rows;
    this.outputs = outputs;
  }

  @Override
  public int run(int[] values, int[] out, ModelRun run) {
    long[] sums = run.sums();
    for (int i = 0; i < outputs; i++) {
      sums[i] = 0;
    }
    for (int root : roots) {
      int from = TreeEngines.row(nodes, root, values) * outputs;
      for (int i = 0; i < outputs; i++) {
        int value = rows[from + i];
        if (value == TreeForm.ABSTAIN) {
          return ABSTAINED;
        }
        sums[i] += value;
      }
    }
    for (int i = 0; i < outputs; i++) {
      out[i] = Rounding.saturate(sums[i]);
    }
    return DONE;
  }
}
