package io.isle.apps.jobs.data;

import java.util.List;
import java.util.stream.Collectors;

/** Shapes: the extents of an array, the last one running fastest (C order). */
public final class Dims {
  /** Most dimensions of an array. */
  public static final int MAX = 8;

  /** Most bytes of an array: far beyond any device's memory, far from overflow. */
  public static final long MAX_BYTES = 1L << 48;

  private Dims() {}

  /**
   * Elements of an array; 1 without dimensions.
   *
   * @throws ArithmeticException beyond {@link #MAX_BYTES} elements
   */
  public static long elements(List<Long> shape) {
    if (shape.contains(0L)) {
      return 0;
    }
    long elements = 1;
    for (long extent : shape) {
      elements = Math.multiplyExact(elements, extent);
      if (elements > MAX_BYTES) {
        throw new ArithmeticException("more than " + MAX_BYTES + " elements");
      }
    }
    return elements;
  }

  /** As {@code [3, 4]}. */
  public static String show(List<Long> shape) {
    return shape.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
  }

  /** Where an element lies, as {@code [1, 0, 2]}. */
  public static String position(List<Long> shape, long index) {
    Long[] at = new Long[shape.size()];
    long rest = index;
    for (int i = at.length - 1; i >= 0; i--) {
      at[i] = rest % shape.get(i);
      rest /= shape.get(i);
    }
    return show(List.of(at));
  }
}
