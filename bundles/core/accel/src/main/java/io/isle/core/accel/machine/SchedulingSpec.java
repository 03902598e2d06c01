package io.isle.core.accel.machine;

import io.isle.api.device.Priority;
import java.util.concurrent.TimeUnit;

/**
 * How a context is scheduled.
 *
 * @param group of its tenant; one that nobody made counts as the root
 * @param guaranteedUs of its own, of the whole device in each period, cut out of its group's; 0 for
 *     none
 * @param periodUs 0 without a guarantee
 */
public record SchedulingSpec(String group, Priority priority, long guaranteedUs, long periodUs) {
  long guaranteedNs() {
    return TimeUnit.MICROSECONDS.toNanos(guaranteedUs);
  }

  long periodNs() {
    return TimeUnit.MICROSECONDS.toNanos(periodUs);
  }
}
