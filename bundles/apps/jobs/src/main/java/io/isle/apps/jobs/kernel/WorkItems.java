package io.isle.apps.jobs.kernel;

import io.isle.api.accel.KernelInfo;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.formula.Rational;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.NdRange;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work items of a dispatch: first the extents of a work-group are computed, then those of the
 * size, which may name them, then offsets and arguments, which may name both. Immutable.
 */
final class WorkItems {
  private final StepProgram step;
  private final NdRange range;
  private final Kernel kernel;

  WorkItems(StepProgram step, Kernel kernel) {
    this.step = step;
    this.range = step.range();
    this.kernel = kernel;
  }

  Dispatch dispatch(Arguments arguments, Extents extents, int units) {
    int[] local = local(extents);
    int[] group = local == null ? required() : local;
    Extents withLocal = group == null ? extents : extents.with(named(NdRange.LOCAL, group));
    int[] size = size(withLocal, units);
    if (group != null) {
      checkDivides(size, group, local != null);
    }
    Extents all = withLocal.with(named(NdRange.SIZE, size));
    return new Dispatch(kernel.number(), size, local, offset(all), arguments.ready(all));
  }

  long groupItems(Extents extents) {
    boolean known =
        range.local().orElse(List.of()).stream()
            .flatMap(formula -> formula.value().names().stream())
            .allMatch(extents::knows);
    if (!known) {
      return 1;
    }
    int[] local = local(extents);
    int[] group = local == null ? required() : local;
    return group == null ? 1 : product(group);
  }

  private static long product(int[] extents) {
    long product = 1;
    for (int extent : extents) {
      product = Math.min(Long.MAX_VALUE / Integer.MAX_VALUE, product * extent);
    }
    return product;
  }

  private static Map<String, Rational> named(String prefix, int[] extents) {
    Map<String, Rational> names = new HashMap<>();
    for (int i = 0; i < extents.length; i++) {
      names.put(prefix + NdRange.DIMENSIONS.get(i), Rational.of(extents[i]));
    }
    return names;
  }

  /** What the kernel requires; null for nothing. */
  private int[] required() {
    List<Integer> size = kernel.groupSize();
    return size.isEmpty() ? null : size.stream().mapToInt(Integer::intValue).toArray();
  }

  /** What the job file says; null where the driver chooses. */
  private int[] local(Extents extents) {
    List<Buffers.Formula> formulas = range.local().orElse(List.of());
    if (formulas.isEmpty()) {
      return null;
    }
    int[] local = {1, 1, 1};
    for (int i = 0; i < formulas.size(); i++) {
      local[i] = (int) extents.whole(formulas.get(i), 1, Integer.MAX_VALUE);
    }
    int[] required = required();
    if (required != null && !Arrays.equals(local, required)) {
      throw unfit(
          "'local' is "
              + Arrays.toString(local)
              + "; the kernel requires "
              + Arrays.toString(required));
    }
    int most = kernel.info().map(KernelInfo::maxGroup).orElse(0);
    if (most > 0 && product(local) > most) {
      throw unfit(
          "'local' has "
              + product(local)
              + " work items; on this device, a work-group of the kernel has at most "
              + most);
    }
    return local;
  }

  private int[] size(Extents extents, int units) {
    int[] size = {range.size().isEmpty() ? units : 1, 1, 1};
    for (int i = 0; i < range.size().size(); i++) {
      size[i] = (int) extents.whole(range.size().get(i), 1, Integer.MAX_VALUE);
    }
    return size;
  }

  private long[] offset(Extents extents) {
    if (range.offset().isEmpty()) {
      return null;
    }
    long[] offset = new long[NdRange.DIMENSIONS.size()];
    for (int i = 0; i < range.offset().size(); i++) {
      offset[i] = extents.whole(range.offset().get(i), 0, Long.MAX_VALUE - Integer.MAX_VALUE);
    }
    return offset;
  }

  private void checkDivides(int[] size, int[] group, boolean said) {
    for (int i = 0; i < size.length; i++) {
      if (size[i] % group[i] != 0) {
        String dimension = NdRange.DIMENSIONS.get(i);
        throw unfit(
            "the size in "
                + dimension
                + " is "
                + size[i]
                + ", which is not a multiple of "
                + group[i]
                + ", the work-group size "
                + (said ? "of 'local'" : "that the kernel requires")
                + "; a size such as local_"
                + dimension
                + " * ceil(n / local_"
                + dimension
                + ") is always a multiple, if the kernel has no effect beyond n");
      }
    }
  }

  private JobException unfit(String what) {
    return Kernel.failed(step, Errno.EINVAL, what);
  }
}
