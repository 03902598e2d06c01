package io.isle.itests;

import static io.isle.itests.KernelInputs.COUNT;
import static io.isle.itests.KernelInputs.b;
import static io.isle.itests.KernelInputs.l;
import static io.isle.itests.KernelInputs.u;
import static io.isle.itests.KernelInputs.x;
import static io.isle.itests.KernelResults.floats;
import static io.isle.itests.KernelResults.ints;
import static io.isle.itests.KernelResults.longs;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What the kernels with atomics, loops, work-groups and options compute, by their definitions. */
final class MemoryResults {
  private static final int[] TABLE = {3, 1, 4, 1};

  private MemoryResults() {}

  static byte[] of(String name) {
    return switch (name) {
      case "constants" -> ints(COUNT, i -> u(i) ^ TABLE[i % 4]);
      case "accumulates" -> ints(COUNT, i -> 9 + u(i));
      case "consumes" -> ints(COUNT, i -> 2 * u(i));
      case "in_place" -> ints(COUNT, i -> u(i) + 5);
      case "raw_bytes" -> ints(COUNT, i -> Float.floatToRawIntBits(KernelInputs.x(i)) + 5);
      case "mix" -> floats(COUNT, i -> KernelInputs.x(i) + 2.5f);
      case "histogram" -> {
        int[] bins = new int[8];
        IntStream.range(0, COUNT).forEach(i -> bins[b(i) % 8]++);
        yield ints(bins);
      }
      case "atomics" ->
          ints(
              all().reduce(0, Math::max),
              all().reduce(0, Math::min),
              all().map(v -> 1 << (v & 31)).reduce(0, (v, w) -> v | w),
              all().reduce(0, (v, w) -> v ^ w),
              all().sum());
      case "long_atomics" ->
          longs(LongStream.of(IntStream.range(0, COUNT).mapToLong(KernelInputs::l).sum()));
      case "three_dimensions" -> ints(2 * 4 * 8, MemoryResults::place);
      case "beyond_the_end" -> floats(48, i -> i < 43 ? x(42 - i) : 0);
      case "neighbours" -> ints(neighbours());
      case "halve" -> ints(COUNT, _ -> 0);
      case "step_of" -> ints(COUNT, MemoryResults::steps);
      case "prints" -> ints(4, _ -> 5);
      case "calls_a_kernel" -> ints(4, _ -> 4);
      case "in_a_function" -> ints(12, i -> i % 3);
      case "local_argument" ->
          floats(
              COUNT / 16,
              i -> IntStream.range(16 * i, 16 * i + 16).mapToDouble(KernelInputs::x).sum());
      case "two_local_arguments" -> ints(COUNT, i -> u(i - i % 8 + 7 - i % 8) + 7 - i % 8);
      case "local_variable" -> {
        // rows of 16, groups of 8 columns and 4 rows
        yield ints(COUNT, i -> u((3 - i / 16) * 16 + i % 16 / 8 * 8 + 7 - i % 8));
      }
      case "required_size" -> ints(COUNT, i -> u(i - i % 16 + 15 - i % 16));
      case "async_copies" -> ints(COUNT, i -> u(i - i % 8 + 7 - i % 8));
      case "no_dependence" -> ints(2, _ -> "get_local_id".length() + 2);
      case "by_pasted_names" -> ints(6, i -> i % 2);
      case "by_an_option" -> ints(6, i -> 11 * i);
      case "generic_pointers" -> ints(6, i -> i + 1 + 101);
      case "program_scope" -> ints(6, _ -> 5);
      case "c11_atomics" -> ints(all().sum());
      case "group_functions" ->
          ints(COUNT, i -> IntStream.range(i - i % 8, i - i % 8 + 8).map(KernelInputs::u).sum());
      case "version" -> ints(300);
      case "sub_groups" -> ints(COUNT, KernelInputs::u);
      case "beside_these" -> floats(3, _ -> 1);
      case "several_files" -> floats(COUNT / 2, i -> 3 * x(2 * i) + x(2 * i + 1));
      case "pieces" -> ints(KernelInputs.MANY, i -> 2 * u(i));
      default -> throw new IllegalArgumentException(name + " has no expected values");
    };
  }

  private static IntStream all() {
    return IntStream.range(0, COUNT).map(KernelInputs::u);
  }

  /** Sizes 6, 2, 1 from 2, 1, 1 on; elsewhere what is there from the start. */
  private static int place(int i) {
    int column = i % 8;
    int row = i / 8 % 4;
    int plane = i / 32;
    boolean reached = column >= 2 && (row == 1 || row == 2) && plane == 1;
    return reached ? column + 10 * row + 100 * plane + 1000 + 30000 : 3;
  }

  /** Three turns on the words of the 64-bit input. */
  private static int[] neighbours() {
    int n = 2 * COUNT;
    int[] now = IntStream.range(0, n).map(i -> (int) (l(i / 2) >>> 32 * (i % 2))).toArray();
    for (int turn = 0; turn < 3; turn++) {
      int[] last = now;
      now = IntStream.range(0, n).map(i -> last[(i + 1) % n] - last[(i + n - 1) % n]).toArray();
    }
    return now;
  }

  private static int steps(int i) {
    int value = u(i);
    for (int k = 5; k > -1; k -= 2) {
      for (int j = 0; j < k; j++) {
        value = value * 3 + k * 10 + j;
      }
    }
    return value;
  }
}
