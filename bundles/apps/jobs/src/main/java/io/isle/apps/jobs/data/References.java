package io.isle.apps.jobs.data;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What a plain loop on the CPU makes of the inputs of a step, to compare results with. Slow on
 * purpose: each is as easy to read as its definition.
 */
public final class References {
  /** The references that there are. */
  public static final List<String> NAMES =
      List.of("blur", "copy", "matmul", "max", "min", "sort", "sum");

  private static final int[] BINOMIAL = {1, 4, 6, 4, 1};

  private References() {}

  /**
   * Computes one.
   *
   * @param inputs of the step, in its order
   * @throws FormatException when they do not fit the reference
   */
  public static HostArray compute(String name, List<HostArray> inputs)
      throws FormatException, InterruptedException {
    int needed = name.equals("matmul") ? 2 : 1;
    if (inputs.size() < needed) {
      throw new FormatException("the reference " + name + " needs " + needed + " inputs");
    }
    HostArray first = inputs.getFirst();
    return switch (name) {
      case "blur" -> blur(first);
      case "copy" -> first;
      case "matmul" -> matmul(first, inputs.get(1));
      case "sort" -> sort(first);
      default -> reduce(name, first);
    };
  }

  private static HostArray allocate(ElementType type, List<Long> shape) {
    long bytes = Math.max(1, Dims.elements(shape) * type.bytes());
    return new HostArray(type, shape, Arena.ofAuto().allocate(bytes, Long.BYTES));
  }

  private static HostArray matmul(HostArray a, HostArray b)
      throws FormatException, InterruptedException {
    if (a.shape().size() != 2
        || b.shape().size() != 2
        || !a.shape().get(1).equals(b.shape().getFirst())) {
      throw new FormatException(
          "the reference matmul needs [m, k] and [k, n]; there are "
              + Dims.show(a.shape())
              + " and "
              + Dims.show(b.shape()));
    }
    long m = a.shape().getFirst();
    long k = a.shape().get(1);
    long n = b.shape().get(1);
    HostArray c = allocate(ElementType.F64, List.of(m, n));
    for (long i = 0; i < m; i++) {
      check();
      for (long j = 0; j < n; j++) {
        double sum = 0;
        for (long l = 0; l < k; l++) {
          sum += a.real(i * k + l) * b.real(l * n + j);
        }
        ElementType.F64.setReal(c.bytes(), i * n + j, sum);
      }
    }
    return c;
  }

  /** By sorting keys that order as the elements do. */
  private static HostArray sort(HostArray array) throws FormatException {
    if (array.elements() > Integer.MAX_VALUE - 8) {
      throw new FormatException("the reference sort takes at most 2^31 - 9 elements");
    }
    long[] keys = new long[(int) array.elements()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = array.type().key(array.bytes(), i) ^ Long.MIN_VALUE;
    }
    java.util.Arrays.sort(keys);
    HostArray sorted = allocate(array.type(), array.shape());
    for (int i = 0; i < keys.length; i++) {
      array.type().setKey(sorted.bytes(), i, keys[i] ^ Long.MIN_VALUE);
    }
    return sorted;
  }

  private static HostArray reduce(String name, HostArray array) throws FormatException {
    if (array.elements() == 0) {
      throw new FormatException("the reference " + name + " needs at least one element");
    }
    double result = array.real(0);
    for (long i = 1; i < array.elements(); i++) {
      double value = array.real(i);
      result =
          switch (name) {
            case "sum" -> result + value;
            case "min" -> Math.min(result, value);
            default -> Math.max(result, value);
          };
    }
    HostArray one = allocate(ElementType.F64, List.of(1L));
    ElementType.F64.setReal(one.bytes(), 0, result);
    return one;
  }

  /** 5 x 5 binomial weights, edges repeated, rounded half up. */
  private static HostArray blur(HostArray image) throws FormatException, InterruptedException {
    if (image.type() != ElementType.U8 || image.shape().size() != 3) {
      throw new FormatException(
          "the reference blur needs u8 [height, width, channels]; there is "
              + image.type().text()
              + " "
              + Dims.show(image.shape()));
    }
    long height = image.shape().getFirst();
    long width = image.shape().get(1);
    long channels = image.shape().get(2);
    HostArray out = allocate(ElementType.U8, image.shape());
    for (long y = 0; y < height; y++) {
      check();
      for (long x = 0; x < width; x++) {
        for (long c = 0; c < channels; c++) {
          long sum = 0;
          for (int dy = -2; dy <= 2; dy++) {
            long row = Math.clamp(y + dy, 0, height - 1);
            for (int dx = -2; dx <= 2; dx++) {
              long column = Math.clamp(x + dx, 0, width - 1);
              long value =
                  ElementType.U8.whole(image.bytes(), (row * width + column) * channels + c);
              sum += BINOMIAL[dy + 2] * BINOMIAL[dx + 2] * value;
            }
          }
          ElementType.U8.setWhole(out.bytes(), (y * width + x) * channels + c, sum + 128 >> 8);
        }
      }
    }
    return out;
  }

  private static void check() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("cancelled");
    }
  }

  /** Compares element by element; what is not a number equals what is not one. */
  public static final class Comparison {
    private final double absolute;
    private final double relative;

    public Comparison(double absolute, double relative) {
      this.absolute = absolute;
      this.relative = relative;
    }

    /**
     * The first element that differs by more than is allowed, or -1.
     *
     * @param count elements from the start of both
     */
    public long first(
        ElementType foundType,
        MemorySegment found,
        ElementType expectedType,
        MemorySegment expected,
        long count) {
      boolean exact =
          foundType == expectedType && !foundType.isReal() && absolute == 0 && relative == 0;
      for (long i = 0; i < count; i++) {
        boolean same =
            exact
                ? foundType.whole(found, i) == expectedType.whole(expected, i)
                : close(foundType.real(found, i), expectedType.real(expected, i));
        if (!same) {
          return i;
        }
      }
      return -1;
    }

    private boolean close(double found, double expected) {
      return found == expected
          || (Double.isNaN(found) && Double.isNaN(expected))
          || (Double.isFinite(expected)
              && Math.abs(found - expected) <= absolute + relative * Math.abs(expected));
    }
  }
}
