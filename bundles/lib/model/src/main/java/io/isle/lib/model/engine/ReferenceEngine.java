package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.ModelForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.Rounding;
import io.isle.lib.model.form.TableForm;
import io.isle.lib.model.form.TreeForm;

/**
 * Computes answers as the formats say, one number after the other: what all other engines must
 * equal, and nets where there is no library.
 */
public final class ReferenceEngine implements ModelEngine {
  private final ModelForm form;

  /**
   * @param form a proven form
   */
  public ReferenceEngine(ModelForm form) {
    this.form = form;
  }

  @Override
  public int run(int[] features, int[] out, ModelRun run) {
    return switch (form) {
      case TreeForm trees -> trees(trees, features, out, run.sums());
      case TableForm table -> table(table, features, out);
      case LinearForm linear -> linear(linear, features, out);
      case NetForm net -> ReferenceNet.run(net, features, out, run);
    };
  }

  private static int trees(TreeForm form, int[] features, int[] out, long[] sums) {
    for (int i = 0; i < form.outputs(); i++) {
      sums[i] = 0;
    }
    for (int root : form.roots()) {
      int node = root;
      while (form.features()[node] != TreeForm.LEAF) {
        boolean goesLeft = features[form.features()[node]] <= form.thresholds()[node];
        node = goesLeft ? form.left()[node] : form.left()[node] + 1;
      }
      for (int i = 0; i < form.outputs(); i++) {
        int value = form.rows()[form.left()[node] * form.outputs() + i];
        if (value == TreeForm.ABSTAIN) {
          return ABSTAINED;
        }
        sums[i] += value;
      }
    }
    for (int i = 0; i < form.outputs(); i++) {
      out[i] = Rounding.saturate(sums[i]);
    }
    return DONE;
  }

  private static int table(TableForm form, int[] features, int[] out) {
    int cell = 0;
    for (int i = 0; i < form.axes().size(); i++) {
      TableForm.Axis axis = form.axes().get(i);
      cell = cell * (1 << axis.bits()) + axis.index(features[axis.feature()]);
    }
    for (int i = 0; i < form.outputs(); i++) {
      out[i] = form.cells()[cell * form.outputs() + i];
      if (out[i] == TreeForm.ABSTAIN) {
        return ABSTAINED;
      }
    }
    return DONE;
  }

  private static int linear(LinearForm form, int[] features, int[] out) {
    for (int i = 0; i < form.outputs(); i++) {
      long sum = form.bias()[i];
      for (int j = 0; j < form.features(); j++) {
        sum += (long) form.weights()[i * form.features() + j] * features[j];
      }
      int value = Rounding.saturate(Rounding.shift(sum, form.shifts()[i]));
      int threshold = form.thresholds()[i];
      if (threshold == LinearForm.NO_THRESHOLD) {
        out[i] = value;
      } else {
        out[i] = value >= threshold ? 1 : 0;
      }
    }
    return DONE;
  }
}
