package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.data.References;
import io.isle.apps.jobs.spec.Buffers;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a plain loop on the CPU makes of the inputs of a step, or of a piece of them. Immutable. */
final class ScalarReference {
  private final Buffers.Expect expect;
  private final List<String> names;

  /**
   * @param expect that has a reference or a value
   * @param names of the inputs
   */
  ScalarReference(Buffers.Expect expect, List<String> names) {
    this.expect = expect;
    this.names = List.copyOf(names);
  }

  /**
   * Computes it.
   *
   * @param inputs in the order of their names
   * @param arena takes what is made
   * @throws FormatException when they do not fit
   */
  HostArray compute(List<HostArray> inputs, Arena arena)
      throws FormatException, InterruptedException {
    return expect.value().isPresent()
        ? elements(expect.value().get(), inputs, arena)
        : References.compute(expect.reference().orElseThrow(), inputs, arena);
  }

  /** The formula over the elements at the same place, one after the other. */
  private HostArray elements(Buffers.Formula formula, List<HostArray> inputs, Arena arena)
      throws FormatException, InterruptedException {
    Set<String> used = formula.value().names();
    Map<String, HostArray> arrays = new HashMap<>();
    HostArray first = null;
    for (int i = 0; i < names.size(); i++) {
      if (used.contains(names.get(i))) {
        HostArray array = inputs.get(i);
        first = first == null ? array : first;
        if (array.elements() != first.elements()) {
          throw new FormatException(
              formula.text()
                  + " needs inputs of the same length; there are "
                  + Dims.show(first.shape())
                  + " and "
                  + Dims.show(array.shape()));
        }
        arrays.put(names.get(i), array);
      }
    }
    if (first == null) {
      throw new FormatException(formula.text() + " names no input");
    }
    HostArray result = HostArray.allocate(arena, ElementType.F64, first.shape());
    Map<String, Double> values = new HashMap<>();
    for (long i = 0; i < first.elements(); i++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
      for (Map.Entry<String, HostArray> array : arrays.entrySet()) {
        values.put(array.getKey(), array.getValue().real(i));
      }
      ElementType.F64.setReal(result.bytes(), i, formula.value().evaluate(values));
    }
    return result;
  }
}
