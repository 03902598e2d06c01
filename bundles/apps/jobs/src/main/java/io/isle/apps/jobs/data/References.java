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

  /** Those that hold for a piece of rows as they do for the whole. */
  public static final List<String> BY_PIECE = List.of("copy", "matmul", "sort");

  /** Elements between two looks at the interrupt flag. */
  private static final long PATIENCE = 1 << 20;

  private static final int[] BINOMIAL = {1, 4, 6, 4, 1};

  private References() {}

  /**
   * Computes one.
   *
   * @param inputs of the step, in its order
   * @param arena takes what is made
   * @throws FormatException when they do not fit the reference
   */
  public static HostArray compute(String name, List<HostArray> inputs, Arena arena)
      throws FormatException, InterruptedException {
    int needed = name.equals("matmul") ? 2 : 1;
    if (inputs.size() < needed) {
      throw new FormatException("the reference " + name + " needs " + needed + " inputs");
    }
    HostArray first = inputs.getFirst();
    return switch (name) {
      case "blur" -> blur(first, arena);
      case "copy" -> first;
      case "matmul" -> matmul(first, inputs.get(1), arena);
      case "sort" -> sort(first, arena);
      default -> reduce(name, first, arena);
    };
  }

  private static HostArray matmul(HostArray a, HostArray b, Arena arena)
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
    HostArray c = HostArray.allocate(arena, ElementType.F64, List.of(m, n));
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

  /** A merge sort by keys that order as the elements do; none of it is on the Java heap. */
  private static HostArray sort(HostArray array, Arena arena) throws InterruptedException {
    long count = array.elements();
    HostArray from = HostArray.allocate(arena, array.type(), array.shape());
    MemorySegment.copy(array.bytes(), 0, from.bytes(), 0, count * array.type().bytes());
    HostArray to = HostArray.allocate(arena, array.type(), array.shape());
    for (long run = 1; run < count; run *= 2) {
      for (long start = 0; start < count; start += 2 * run) {
        check();
        long middle = Math.min(start + run, count);
        merge(from, to, start, middle, Math.min(middle + run, count));
      }
      HostArray sorted = to;
      to = from;
      from = sorted;
    }
    return from;
  }

  private static void merge(HostArray from, HostArray to, long start, long middle, long end) {
    ElementType type = from.type();
    long left = start;
    long right = middle;
    for (long i = start; i < end; i++) {
      boolean takeLeft =
          right == end
              || (left < middle
                  && Long.compareUnsigned(
                          type.key(from.bytes(), left), type.key(from.bytes(), right))
                      <= 0);
      type.setWhole(to.bytes(), i, type.whole(from.bytes(), takeLeft ? left++ : right++));
    }
  }

  private static HostArray reduce(String name, HostArray array, Arena arena)
      throws FormatException, InterruptedException {
    if (array.elements() == 0) {
      throw new FormatException("the reference " + name + " needs at least one element");
    }
    double result = array.real(0);
    for (long i = 1; i < array.elements(); i++) {
      if (i % PATIENCE == 0) {
        check();
      }
      double value = array.real(i);
      result =
          switch (name) {
            case "sum" -> result + value;
            case "min" -> Math.min(result, value);
            default -> Math.max(result, value);
          };
    }
    HostArray one = HostArray.allocate(arena, ElementType.F64, List.of(1L));
    ElementType.F64.setReal(one.bytes(), 0, result);
    return one;
  }

  /** 5 x 5 binomial weights, edges repeated, rounded half up. */
  private static HostArray blur(HostArray image, Arena arena)
      throws FormatException, InterruptedException {
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
    HostArray out = HostArray.allocate(arena, ElementType.U8, image.shape());
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
}
