package io.isle.apps.jobs.measure;

import io.isle.api.accel.Context;
import io.isle.api.accel.PerfCounters;
import io.isle.api.base.IsleException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processor time that a device's workers spent on contexts, as its driver counts it: what a
 * scheduler that is not believed can be compared with.
 */
final class CpuTime {
  private static final Logger LOG = LoggerFactory.getLogger(CpuTime.class);

  /** Where the software accelerator's driver counts it among the vendor counters. */
  private static final int VENDOR_COUNTER = 4;

  private CpuTime() {}

  /** Whether the driver of a device counts it. */
  static boolean isCounted(String device) {
    return device.matches("(soft|display)[0-9]+");
  }

  /**
   * Of each context. Reading takes its time, so all are read forth and back, and what is half-way
   * between stands for one moment.
   *
   * @return empty where it cannot be read
   */
  static List<OptionalLong> read(List<Context> contexts) {
    long[] sums = new long[contexts.size()];
    boolean[] failed = new boolean[contexts.size()];
    for (int i = 0; i < 2 * sums.length; i++) {
      int at = i < sums.length ? i : 2 * sums.length - 1 - i;
      OptionalLong value = read(contexts.get(at));
      failed[at] |= value.isEmpty();
      sums[at] += value.orElse(0);
    }
    List<OptionalLong> times = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      times.add(failed[i] ? OptionalLong.empty() : OptionalLong.of(sums[i] / 2));
    }
    return times;
  }

  private static OptionalLong read(Context context) {
    try {
      PerfCounters counters = context.counters();
      return counters.vendor().size() > VENDOR_COUNTER
          ? OptionalLong.of(counters.vendor().get(VENDOR_COUNTER))
          : OptionalLong.empty();
    } catch (IsleException e) {
      LOG.debug("the counters of a context cannot be read", e);
      return OptionalLong.empty();
    }
  }
}
