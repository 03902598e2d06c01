package io.isle.lib.model.body;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.engine.Cost;
import io.isle.lib.model.engine.TableEngine;
import io.isle.lib.model.form.TableForm;
import java.util.ArrayList;
import java.util.List;

/** Proves tables: the clamped index of each axis leads to a cell that is there. */
final class TableBody {
  private static final int MOST_SHIFT = 31;

  private TableBody() {}

  static ModelBody prove(BodyReader in, int features, int outputs) {
    int count = in.count(1, TableForm.MOST_AXES, "axes");
    in.zero(4, "reserved");
    List<TableForm.Axis> axes = new ArrayList<>();
    int bits = 0;
    for (int i = 0; i < count; i++) {
      String place = "axis[" + i + "]";
      in.need(TableForm.AXIS_BYTES, place);
      int feature = (int) BodyReader.range(in.half(), 0, features - 1, place + ".feature");
      int width = in.small(1, TableForm.MOST_BITS, place + ".bits");
      int shift = in.small(0, MOST_SHIFT, place + ".shift");
      axes.add(new TableForm.Axis(feature, width, shift, in.word()));
      bits += width;
    }
    if (bits >= Integer.SIZE || (1L << bits) * outputs > Integer.MAX_VALUE) {
      throw new ModelException(
          ModelFault.TOO_BIG,
          "axes",
          bits + " bits of all axes make more than " + Integer.MAX_VALUE + " values");
    }
    long cells = (1L << bits) * outputs;
    in.need(4 * cells, "cells");
    TableForm form = new TableForm(outputs, List.copyOf(axes), in.words((int) cells, "cells"));
    in.end();
    return new ModelBody(
        form, new TableEngine(form), Cost.ofLoads(1 + Cost.lines(outputs), 4 * cells));
  }
}
