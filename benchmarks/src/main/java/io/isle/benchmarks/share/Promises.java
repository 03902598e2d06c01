package io.isle.benchmarks.share;

import io.isle.api.tenancy.GroupSpec;
import io.isle.core.accel.group.AccelGroupKeys;
import java.util.Map;

/** Groups of the benchmark's device. */
final class Promises {
  private static final String DEVICE = "soft0";

  private Promises() {}

  /** One that is promised time of the device in each period, and gets no more. */
  static GroupSpec exactly(String name, long quotaUs, long periodUs) {
    String time = time(quotaUs, periodUs);
    return GroupSpec.of(
        name, Map.of(AccelGroupKeys.COMPUTE_GUARANTEE, time, AccelGroupKeys.COMPUTE_MAX, time));
  }

  /** One that is promised time, and gets what nobody else wants besides. */
  static GroupSpec atLeast(String name, long quotaUs, long periodUs) {
    return GroupSpec.of(name, Map.of(AccelGroupKeys.COMPUTE_GUARANTEE, time(quotaUs, periodUs)));
  }

  /** One that comes before others by its weight, up to a limit. */
  static GroupSpec upTo(String name, long quotaUs, long periodUs) {
    return GroupSpec.of(
        name,
        Map.of(
            AccelGroupKeys.COMPUTE_MAX,
            time(quotaUs, periodUs),
            AccelGroupKeys.COMPUTE_WEIGHT,
            Integer.toString(AccelGroupKeys.MAX_WEIGHT)));
  }

  /** One that gets what is left. */
  static GroupSpec none(String name) {
    return GroupSpec.of(name, Map.of());
  }

  private static String time(long quotaUs, long periodUs) {
    return DEVICE + " " + quotaUs + " " + periodUs;
  }
}
