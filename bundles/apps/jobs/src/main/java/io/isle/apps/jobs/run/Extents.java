package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Buffers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The extents of a step by name: each name stands for one number. Used by one thread. */
final class Extents {
  private final Map<String, Double> values;

  /** Who said it first. */
  private final Map<String, String> origins = new HashMap<>();

  private Extents(Map<String, Double> values) {
    this.values = values;
  }

  static Extents none() {
    return new Extents(new HashMap<>());
  }

  /** These, and one more. */
  Extents with(Optional<String> symbol, long value) {
    if (symbol.isEmpty()) {
      return this;
    }
    Map<String, Double> more = new HashMap<>(values);
    more.put(symbol.get(), (double) value);
    return new Extents(more);
  }

  /** Whether the name has its number. */
  boolean knows(String symbol) {
    return values.containsKey(symbol);
  }

  /** Takes the type of a buffer, for the name {@code BUFFER.kind}. */
  void type(String buffer, ElementType type) {
    values.put(buffer + Buffers.KIND, kind(type));
  }

  /** As the driver ABI counts kinds of arguments; NaN for a type that no argument has. */
  private static double kind(ElementType type) {
    return switch (type) {
      case U32 -> 2;
      case I32 -> 3;
      case U64 -> 4;
      case I64 -> 5;
      case F32 -> 6;
      case F64 -> 7;
      case U8, I8, U16, I16 -> Double.NaN;
    };
  }

  /** The number of a name that is known. */
  long value(String symbol) {
    return values.get(symbol).longValue();
  }

  /** As {@link #bind}, without the first extent, which is not known yet. */
  void bindInner(Buffers.Input input, List<Long> shape) {
    List<Buffers.Extent> said = input.shape().orElseThrow();
    for (int i = 1; i < said.size(); i++) {
      bind(input, said.get(i), shape.get(i), i);
    }
  }

  /**
   * Takes the shape that an input has for what the job file says of it.
   *
   * @throws JobException naming what does not fit together
   */
  void bind(Buffers.Input input, List<Long> shape) {
    if (input.shape().isEmpty()) {
      return;
    }
    List<Buffers.Extent> said = input.shape().get();
    if (said.size() != shape.size()) {
      throw unfit(
          input,
          "has the shape "
              + Dims.show(shape)
              + " of "
              + shape.size()
              + " dimensions; the job file gives "
              + said.size()
              + " dimensions");
    }
    for (int i = 0; i < said.size(); i++) {
      bind(input, said.get(i), shape.get(i), i);
    }
  }

  private void bind(Buffers.Input input, Buffers.Extent extent, long value, int index) {
    if (extent.number().isPresent() && extent.number().getAsLong() != value) {
      throw unfit(
          input,
          "extent "
              + index
              + " is "
              + value
              + "; the job file gives "
              + extent.number().getAsLong());
    }
    if (extent.symbol().isEmpty()) {
      return;
    }
    String symbol = extent.symbol().get();
    Double before = values.putIfAbsent(symbol, (double) value);
    if (before == null) {
      origins.put(symbol, input.name());
    } else if (before != value) {
      throw unfit(
          input,
          "'"
              + symbol
              + "' is "
              + value
              + " here and "
              + before.longValue()
              + " in "
              + origins.getOrDefault(symbol, "another buffer")
              + "; both must be equal");
    }
  }

  private static JobException unfit(Buffers.Input input, String what) {
    return input.where().failure(Errno.EINVAL, what);
  }

  /** The extent, where the job file says it or another input has; empty if not. */
  Optional<Long> known(Buffers.Extent extent) {
    if (extent.number().isPresent()) {
      return Optional.of(extent.number().getAsLong());
    }
    return extent.symbol().map(values::get).map(Double::longValue);
  }

  /**
   * The extents of an input but the first.
   *
   * @throws JobException EINVAL when one is not known
   */
  List<Long> inner(Buffers.Input input) {
    return input.shape().orElse(List.of()).stream()
        .skip(1)
        .map(extent -> known(extent).orElseThrow(() -> unknown(extent)))
        .toList();
  }

  static JobException unknown(Buffers.Extent extent) {
    return extent
        .where()
        .failure(
            Errno.EINVAL,
            "'"
                + extent.symbol().orElse("")
                + "' has no value here; only the first extent of a raw file follows from the"
                + " size of the file");
  }

  /** The value of a formula, which must be a whole number. */
  long whole(Buffers.Formula formula, long min, long max) {
    double value = formula.value().evaluate(values);
    if (Double.isNaN(value)) {
      throw formula
          .where()
          .failure(
              Errno.EINVAL,
              formula.text()
                  + " has no value; .kind exists only for buffers of u32, i32, u64, i64, f32 and"
                  + " f64");
    }
    if (!(value >= min && value <= max) || value != Math.rint(value)) {
      throw formula
          .where()
          .failure(
              Errno.EINVAL,
              formula.text()
                  + " is "
                  + Text.number(value)
                  + "; the value must be a whole number from "
                  + min
                  + " to "
                  + max);
    }
    return (long) value;
  }

  /** The shape of an output. */
  List<Long> shape(List<Buffers.Formula> formulas) {
    List<Long> shape = new ArrayList<>();
    formulas.forEach(formula -> shape.add(whole(formula, 0, Dims.MAX_BYTES)));
    return List.copyOf(shape);
  }

  /** The three extents of a dispatch; {@code otherwise} units when the step says nothing. */
  int[] size(List<Buffers.Formula> formulas, int otherwise) {
    int[] size = {formulas.isEmpty() ? otherwise : 1, 1, 1};
    for (int i = 0; i < formulas.size(); i++) {
      size[i] = (int) whole(formulas.get(i), 1, Integer.MAX_VALUE);
    }
    return size;
  }

  Map<String, Double> values() {
    return values;
  }
}
