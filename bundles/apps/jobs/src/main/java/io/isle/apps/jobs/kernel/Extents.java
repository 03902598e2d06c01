package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.formula.Rational;
import io.isle.apps.jobs.spec.Buffers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The extents of a step by name: each name stands for one number. Used by one thread. */
public final class Extents {
  private final Map<String, Rational> values;

  /** Who said it first. */
  private final Map<String, String> origins = new HashMap<>();

  private final Map<String, ElementType> types = new HashMap<>();

  private Extents(Map<String, Rational> values) {
    this.values = values;
  }

  public static Extents none() {
    return new Extents(new HashMap<>());
  }

  /** These, and one more. */
  public Extents with(Optional<String> symbol, long value) {
    if (symbol.isEmpty()) {
      return this;
    }
    Map<String, Rational> more = new HashMap<>(values);
    more.put(symbol.get(), Rational.of(value));
    return new Extents(more);
  }

  /** These, and others whose names are not taken. */
  public Extents with(Map<String, Rational> others) {
    Map<String, Rational> more = new HashMap<>(others);
    more.putAll(values);
    return new Extents(more);
  }

  /** Whether the name has its number. */
  public boolean knows(String symbol) {
    return values.containsKey(symbol);
  }

  /** Takes the type of a buffer, for the name {@code BUFFER.kind}. */
  public void type(String buffer, ElementType type) {
    types.put(buffer, type);
    kind(type)
        .ifPresent(kind -> values.put(buffer + Buffers.KIND, Rational.of(kind.ordinal() + 1)));
  }

  /** The types of buffers that were taken, by name. */
  public Map<String, ElementType> types() {
    return Map.copyOf(types);
  }

  /** As the driver ABI counts kinds of arguments; empty for a type that no argument has. */
  private static Optional<ArgumentKind> kind(ElementType type) {
    return switch (type) {
      case U32 -> Optional.of(ArgumentKind.U32);
      case I32 -> Optional.of(ArgumentKind.I32);
      case U64 -> Optional.of(ArgumentKind.U64);
      case I64 -> Optional.of(ArgumentKind.I64);
      case F32 -> Optional.of(ArgumentKind.F32);
      case F64 -> Optional.of(ArgumentKind.F64);
      case U8, I8, U16, I16, F16 -> Optional.empty();
    };
  }

  /** The number of a name that is known. */
  public long value(String symbol) {
    return values.get(symbol).bits();
  }

  /** As {@link #bind}, without the first extent, which is not known yet. */
  public void bindInner(Buffers.Input input, List<Long> shape) {
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
  public void bind(Buffers.Input input, List<Long> shape) {
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
    Rational here = Rational.of(value);
    Rational before = values.putIfAbsent(symbol, here);
    if (before == null) {
      origins.put(symbol, input.name());
    } else if (!before.equals(here)) {
      throw unfit(
          input,
          "'"
              + symbol
              + "' is "
              + value
              + " here and "
              + before
              + " in "
              + origins.getOrDefault(symbol, "another buffer")
              + "; both must be equal");
    }
  }

  private static JobException unfit(Buffers.Input input, String what) {
    return input.where().failure(Errno.EINVAL, what);
  }

  /** The extent, where the job file says it or another input has; empty if not. */
  public Optional<Long> known(Buffers.Extent extent) {
    if (extent.number().isPresent()) {
      return Optional.of(extent.number().getAsLong());
    }
    return extent.symbol().map(values::get).map(Rational::bits);
  }

  /**
   * The extents of an input but the first.
   *
   * @throws JobException EINVAL when one is not known
   */
  public List<Long> inner(Buffers.Input input) {
    return input.shape().orElse(List.of()).stream()
        .skip(1)
        .map(extent -> known(extent).orElseThrow(() -> unknown(extent)))
        .toList();
  }

  public static JobException unknown(Buffers.Extent extent) {
    return extent
        .where()
        .failure(
            Errno.EINVAL,
            "'"
                + extent.symbol().orElse("")
                + "' has no value here; only the first extent of a raw file follows from the"
                + " size of the file");
  }

  /**
   * The value of a formula.
   *
   * @throws JobException EINVAL for none
   */
  public Rational exact(Buffers.Formula formula) {
    try {
      return formula.value().exact(values);
    } catch (ArithmeticException e) {
      boolean kind = formula.value().names().stream().anyMatch(name -> name.endsWith(Buffers.KIND));
      throw formula
          .where()
          .failure(
              Errno.EINVAL,
              formula.text()
                  + " has no value"
                  + (kind
                      ? "; .kind exists only for buffers of u32, i32, u64, i64, f32 and f64"
                      : ": " + e.getMessage()));
    }
  }

  /** The value of a formula, which must be a whole number. */
  public long whole(Buffers.Formula formula, long min, long max) {
    Rational value = exact(formula);
    if (!value.isWhole()
        || value.compareTo(Rational.of(min)) < 0
        || value.compareTo(Rational.of(max)) > 0) {
      throw formula
          .where()
          .failure(
              Errno.EINVAL,
              formula.text()
                  + " is "
                  + value
                  + (value.isWhole() && !value.fits64Bits() ? ", which is beyond 64 bits" : "")
                  + "; the value must be a whole number from "
                  + min
                  + " to "
                  + max);
    }
    return value.bits();
  }

  /** The shape of an output. */
  public List<Long> shape(List<Buffers.Formula> formulas) {
    List<Long> shape = new ArrayList<>();
    formulas.forEach(formula -> shape.add(whole(formula, 0, Dims.MAX_BYTES)));
    return List.copyOf(shape);
  }
}
