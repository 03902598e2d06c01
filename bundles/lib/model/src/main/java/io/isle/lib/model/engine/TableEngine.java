package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.TableForm;
import io.isle.lib.model.form.TreeForm;

/** Looks up the cell of a table. */
public final class TableEngine implements ModelEngine {
  private final int outputs;
  private final int[] cells;
  private final int[] features;
  private final int[] offsets;
  private final int[] shifts;
  private final int[] bits;

  /**
   * @param form a proven form
   */
  public TableEngine(TableForm form) {
    this.outputs = form.outputs();
    this.cells = form.cells();
    this.features = form.axes().stream().mapToInt(TableForm.Axis::feature).toArray();
    this.offsets = form.axes().stream().mapToInt(TableForm.Axis::offset).toArray();
    this.shifts = form.axes().stream().mapToInt(TableForm.Axis::shift).toArray();
    this.bits = form.axes().stream().mapToInt(TableForm.Axis::bits).toArray();
  }

  @Override
  public int run(int[] values, int[] out, ModelRun run) {
    int cell = 0;
    for (int i = 0; i < features.length; i++) {
      long at = ((long) values[features[i]] - offsets[i]) >> shifts[i];
      int width = bits[i];
      cell = cell << width | (int) Math.min(Math.max(at, 0), (1L << width) - 1);
    }
    int from = cell * outputs;
    for (int i = 0; i < outputs; i++) {
      int value = cells[from + i];
      if (value == TreeForm.ABSTAIN) {
        return ABSTAINED;
      }
      out[i] = value;
    }
    return DONE;
  }
}
