package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.TreeForm;

/** Walks one tree. */
final class TreeEngine implements ModelEngine {
  private final long[] nodes;
  private final int root;
  private final int[] rows;
  private final int outputs;

  TreeEngine(long[] nodes, int root, int[] rows, int outputs) {
    this.nodes = nodes;
    this.root = root;
    this.rows = rows;
    this.outputs = outputs;
  }

  @Override
  public int run(int[] values, int[] out, ModelRun run) {
    int from = TreeEngines.row(nodes, root, values) * outputs;
    for (int i = 0; i < outputs; i++) {
      int value = rows[from + i];
      if (value == TreeForm.ABSTAIN) {
        return ABSTAINED;
      }
      out[i] = value;
    }
    return DONE;
  }
}
