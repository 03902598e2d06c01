package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.spec.Buffers;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;

/** Computes a formula for each element of arrays, on the CPU and in double precision. */
final class ElementFormula {
  private ElementFormula() {}

  /**
   * Computes one element after the other.
   *
   * @param inputs those that the formula names, by name; all of one length
   * @param arena takes what is made
   * @throws FormatException when there is none, or the lengths differ
   */
  static HostArray compute(Buffers.Formula formula, Map<String, HostArray> inputs, Arena arena)
      throws FormatException, InterruptedException {
    if (inputs.isEmpty()) {
      throw new FormatException(formula.text() + " names no input");
    }
    HostArray first = inputs.values().iterator().next();
    for (HostArray array : inputs.values()) {
      if (array.elements() != first.elements()) {
        throw new FormatException(
            formula.text()
                + " needs inputs of the same length; the shapes are "
                + Dims.show(first.shape())
                + " and "
                + Dims.show(array.shape()));
      }
    }
    HostArray result = HostArray.allocate(arena, ElementType.F64, first.shape());
    Map<String, Double> values = new HashMap<>();
    for (long i = 0; i < first.elements(); i++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
      for (Map.Entry<String, HostArray> array : inputs.entrySet()) {
        values.put(array.getKey(), array.getValue().real(i));
      }
      ElementType.F64.setReal(result.bytes(), i, formula.value().evaluate(values));
    }
    return result;
  }
}
